/**
 * Conditional requests: returns 304 without doing the work if the caller has the current version (RFC 9110, section
 * 13.1.2).
 */
import type { Config } from '../core/config.ts';
import { matchesTag } from '../core/entity-tag.ts';
import type { AppContext } from '../http.ts';

/** Returns 304 if the caller's `If-None-Match` names this state, otherwise the new response. */
export async function withEtag(
  c: AppContext,
  names: readonly (string | number | undefined)[],
  headers: Record<string, string>,
  make: () => BodyInit | Promise<BodyInit>,
): Promise<Response> {
  const etag = `"${[...names, addressMark(c.env.services.config)]
    .map((name) => encodeURIComponent(name ?? ''))
    .join('.')}"`;
  // Caches may store the response, but must revalidate it each time.
  const own = { ETag: etag, 'Cache-Control': 'public, no-cache', ...headers };
  if (matchesTag(c.req.header('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers: c.env.headers(own) });
  }
  return new Response(await make(), { headers: c.env.headers(own) });
}

/** Hashes the service's name and addresses for the tag, because bodies contain them (FNV-1a, 32 bits). */
function addressMark({ baseUrl, storageUrl, serviceName }: Config): string {
  let hash = 0x811c9dc5;
  for (const letter of `${baseUrl} ${storageUrl} ${serviceName}`) {
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
