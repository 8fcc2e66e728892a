/** Answers that need not be made where the caller has them (RFC 9110 §13.1.2). */
import type { Config } from '../core/config.ts';
import type { AppContext } from '../http.ts';
import { matchesTag } from '../lib/entity-tag.ts';

/** 304 where the caller's `If-None-Match` names this state; the made answer otherwise. */
export async function withEtag(
  c: AppContext,
  names: readonly (string | number | undefined)[],
  headers: Record<string, string>,
  make: () => BodyInit | Promise<BodyInit>,
): Promise<Response> {
  const etag = `"${[...names, addressMark(c.env.services.config)]
    .map((name) => encodeURIComponent(name ?? ''))
    .join('.')}"`;
  // A cache may keep it, and asks each time whether it is still good.
  const own = { ETag: etag, 'Cache-Control': 'public, no-cache', ...headers };
  if (matchesTag(c.req.header('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers: c.env.headers(own) });
  }
  return new Response(await make(), { headers: c.env.headers(own) });
}

/** Bodies name the service and its addresses: where those change, so does the tag (FNV-1a, 32 bits). */
function addressMark({ baseUrl, storageUrl, serviceName }: Config): string {
  let hash = 0x811c9dc5;
  for (const letter of `${baseUrl} ${storageUrl} ${serviceName}`) {
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
