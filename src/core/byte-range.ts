/** Ranges of bytes (RFC 9110, section 14). */

/** Bytes from an offset, or the last ones. */
export type ByteRange = { offset: number; length?: number } | { suffix: number };

/** Larger than any file, and exact as a number. */
const MOST = 2 ** 50;
const position = (digits: string) => Math.min(Number(digits), MOST);

/** The range that a `Range` header names; undefined if it names several or is malformed, so that the whole is sent. */
export function parseRange(header: string | undefined): ByteRange | undefined {
  const match = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '') return last === '' ? undefined : { suffix: position(last) };
  const offset = position(first);
  if (last === '') return { offset };
  return Number(last) < Number(first) ? undefined : { offset, length: position(last) - offset + 1 };
}

/** The bytes that a range selects from this many; null if there are none. */
export function spanOf(range: ByteRange, size: number): { offset: number; length: number } | null {
  const offset = 'suffix' in range ? Math.max(0, size - range.suffix) : range.offset;
  const most = 'suffix' in range ? range.suffix : (range.length ?? size);
  const length = Math.min(most, size - offset);
  return length > 0 ? { offset, length } : null;
}
