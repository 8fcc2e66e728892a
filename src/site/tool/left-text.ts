/** The remaining quota in words, from the headers of a response. */

/** Reads RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers); empty if calls are not counted. */
export function leftText(headers: { get(name: string): string | null }): string {
  const [, name = '', remaining, seconds] =
    /^"([^"]+)";r=(\d+);t=(\d+)/.exec(headers.get('RateLimit') ?? '') ?? [];
  const limit = /;q=(\d+)/.exec(headers.get('RateLimit-Policy') ?? '')?.[1];
  if (remaining === undefined || limit === undefined) return '';
  const wait = Number(seconds);
  const when =
    wait < 120
      ? `${wait} seconds`
      : wait < 7200
        ? `${Math.ceil(wait / 60)} minutes`
        : `${Math.ceil(wait / 3600)} hours`;
  const what = /^[a-z]+$/.test(name) ? `${name} limit` : `limit of ${name}`;
  const again = remaining === limit || wait === 0 ? '' : `, more in ${when}`;
  return `${Number(remaining).toLocaleString('en')} of ${Number(limit).toLocaleString('en')} by the ${what}${again}`;
}
