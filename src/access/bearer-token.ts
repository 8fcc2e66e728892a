/** Reads the API key in an `Authorization` header (RFC 6750, section 2.1). */
import { ToolError } from '../core/errors.ts';

const RIGHT =
  'The Authorization header is invalid. Send "Authorization: Bearer tsk_…", or omit the header.';

/** Returns the single token in the header. Throws 401 for any other value. */
export function bearerToken(header: string): string {
  const [scheme = '', ...rest] = header.trim().split(/[ \t]+/);
  if (scheme.toLowerCase() !== 'bearer') {
    throw new ToolError('invalid_key', `Keys use the Bearer scheme. ${RIGHT}`);
  }
  // If a request has two headers of the same name, their values arrive joined by a comma (RFC 9110, section 5.3).
  if (rest.length > 1 || rest.join().includes(',')) {
    throw new ToolError('invalid_key', `The Authorization header has several values. ${RIGHT}`);
  }
  // Matches the `b64token` syntax (RFC 6750).
  if (!/^[A-Za-z0-9._~+/-]{1,512}=*$/.test(rest[0] ?? '')) {
    throw new ToolError('invalid_key', `The Authorization header has no valid key. ${RIGHT}`);
  }
  return rest[0]!;
}
