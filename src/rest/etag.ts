/**
 * Implements conditional requests. If the caller has the current version, returns 304 without doing the work (RFC 9110,
 * section 13.1.2).
 */
import type { Config } from '../core/config.ts';
import { matchesTag } from '../core/entity-tag.ts';
import type { AppContext } from '../http.ts';

/** Returns 304 if the caller's `If-None-Match` contains the current tag. Otherwise returns a new response. */
export async function withEtag(
  c: AppContext,
  names: readonly (string | number | undefined)[],
  headers: Record<string, string>,
  make: () => BodyInit | Promise<BodyInit>,
): Promise<Response> {
  const etag = `"${[...names, addressMark(c.env.services.config)]
    .map((name) => encodeURIComponent(name ?? ''))
    .join('.')}"`;
  // Caches may store the response, but must revalidate it before each use.
  const own = { ETag: etag, 'Cache-Control': 'public, no-cache', ...headers };
  if (matchesTag(c.req.header('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers: c.env.headers(own) });
  }
  return new Response(await make(), { headers: c.env.headers(own) });
}

/**
 * Returns a hash of the service's name and URLs (FNV-1a, 32 bits). The hash is part of the tag, because response bodies
 * contain the name and the URLs.
 */
function addressMark({ baseUrl, storageUrl, serviceName }: Config): string {
  let hash = 0x811c9dc5;
  for (const letter of `${baseUrl} ${storageUrl} ${serviceName}`) {
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
