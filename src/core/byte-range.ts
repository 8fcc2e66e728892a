/** Parses ranges of bytes (RFC 9110, section 14). */

/**
 * A range of `length` bytes from an offset, or the last `suffix` bytes of a file. Without `length`, the range extends
 * to the end of the file.
 */
export type ByteRange = { offset: number; length?: number } | { suffix: number };

/** The largest position in a parsed range. It exceeds the size of any file, and calculations with it are exact. */
const MAX_POSITION = 2 ** 50;
const position = (digits: string) => Math.min(Number(digits), MAX_POSITION);

/**
 * Reads the range in a `Range` header. Returns undefined if the header is missing, is malformed or has several ranges.
 * The response is then the whole file.
 */
export function parseRange(header: string | undefined): ByteRange | undefined {
  const match = /^bytes *= *(\d*)-(\d*)$/i.exec((header ?? '').trim());
  const [, first = '', last = ''] = match ?? [];
  if (first === '') return last === '' ? undefined : { suffix: position(last) };
  const offset = position(first);
  if (last === '') return { offset };
  return Number(last) < Number(first) ? undefined : { offset, length: position(last) - offset + 1 };
}

/** Returns the part of a file of `size` bytes that the range selects, or null if it selects nothing. */
export function spanOf(range: ByteRange, size: number): { offset: number; length: number } | null {
  const offset = 'suffix' in range ? Math.max(0, size - range.suffix) : range.offset;
  const most = 'suffix' in range ? range.suffix : (range.length ?? size);
  const length = Math.min(most, size - offset);
  return length > 0 ? { offset, length } : null;
}
