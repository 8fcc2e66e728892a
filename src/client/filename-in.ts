/**
 * Reads the file name in a Content-Disposition header (RFC 6266). Prefers `filename*`, because `filename` can contain
 * only ASCII.
 */
export function filenameIn(headers: Headers): string | undefined {
  const header = headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]+)"/.exec(header)?.[1];
}
