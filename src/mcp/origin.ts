/**
 * Checks the `Origin` header. MCP requires this check if all origins may call. Pages that use DNS rebinding have a
 * plain-http origin or `null`.
 */
import { isLoopbackName } from '../core/allowed-origins.ts';
import type { Config } from '../core/config.ts';
import { ToolError } from '../core/errors.ts';

/**
 * Throws 403 for the origin `null`, for malformed origins, and for plain-http origins other than loopback and this
 * service.
 */
export function checkOrigin(request: Request, { allowed, baseUrl }: Config): void {
  const origin = request.headers.get('Origin');
  // If only some origins may call, all others have already been refused.
  if (origin === null || allowed.origins !== 'any') return;
  const url = URL.parse(origin);
  if (url && (url.protocol !== 'http:' || isLoopbackName(url.hostname))) return;
  if (url && url.origin === new URL(baseUrl).origin) return;
  throw new ToolError(
    'bad_request',
    `Pages from the origin "${origin.slice(0, 100)}" may not use this endpoint. Serve the page over https, or from localhost.`,
    { status: 403 },
  );
}
