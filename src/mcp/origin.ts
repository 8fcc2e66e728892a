/** Which web pages may talk to an MCP endpoint: a page behind DNS rebinding or without an origin may not. */
import { ToolError } from '../core/errors.ts';

const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/;

/** Throws 403 for `null`, malformed and plain-http origins elsewhere than on this machine. */
export function checkOrigin(request: Request, baseUrl: string): void {
  const origin = request.headers.get('Origin');
  if (origin === null) return;
  const url = URL.parse(origin);
  if (url && (url.protocol !== 'http:' || LOCAL.test(url.hostname))) return;
  if (url && url.origin === new URL(baseUrl).origin) return;
  throw new ToolError(
    'bad_request',
    `Pages of the origin "${origin.slice(0, 100)}" may not use this endpoint. Serve the page over https, or from localhost.`,
    { status: 403 },
  );
}
