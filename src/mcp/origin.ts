/** MCP's rule for web pages where every origin may call: pages that use DNS rebinding have plain-http origins or `null`. */
import { isLoopbackName } from '../core/allowed-origins.ts';
import type { Config } from '../core/config.ts';
import { ToolError } from '../core/errors.ts';

/** Throws 403 for `null`, malformed and plain-http origins elsewhere than on loopback. */
export function checkOrigin(request: Request, { allowed, baseUrl }: Config): void {
  const origin = request.headers.get('Origin');
  // If origins are listed, the others were refused before any route.
  if (origin === null || allowed.origins !== 'any') return;
  const url = URL.parse(origin);
  if (url && (url.protocol !== 'http:' || isLoopbackName(url.hostname))) return;
  if (url && url.origin === new URL(baseUrl).origin) return;
  throw new ToolError(
    'bad_request',
    `Pages of the origin "${origin.slice(0, 100)}" may not use this endpoint. Serve the page over https, or from localhost.`,
    { status: 403 },
  );
}
