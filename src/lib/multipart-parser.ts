/**
 * A streaming parser of multipart/form-data (RFC 7578, RFC 2046 §5.1, and the WHATWG's escapes in names): bytes go in
 * as they arrive, cut anywhere; parts and their content come out, without copies of what lies inside one piece.
 */
import { mediaTypeOf } from './media-type.ts';

export interface PartHeader {
  /** The field's name. */
  name: string;
  /** The file's name as it was sent; absent where the part is no file. */
  filename: string | undefined;
  /** Lower case, without parameters; empty where the part has none. */
  contentType: string;
  /** The charset parameter of its type, lower case. */
  charset: string | undefined;
}

export type MultipartEvent =
  | { kind: 'part'; part: PartHeader }
  /** Content of the part. It shares memory with what was given to `write`, so it holds until that is used again. */
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'end' };

/** What is wrong with a body, in words for its sender. */
export class MultipartError extends Error {}

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_BOUNDARY = 256;
/** White space that may follow a boundary on its line. */
const MAX_PADDING = 256;

const utf8 = new TextDecoder();

/** The boundary in a Content-Type value, or null where it names none. */
export function boundaryOf(contentType: string): string | null {
  // Unquoted, it is taken up to the semicolon: some senders leave out the quotes that `=` and the like need.
  const match = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^";,\s]+))/i.exec(contentType);
  const boundary = match?.[1]?.replace(/\\(.)/g, '$1') ?? match?.[2] ?? '';
  return boundary === '' || boundary.length > MAX_BOUNDARY ? null : boundary;
}

export class MultipartParser {
  /** CR LF, two hyphens, the boundary: what ends a part's content. */
  readonly #delimiter: Uint8Array;
  /** How far the delimiter may move ahead, by the byte under its end (Boyer, Moore, Horspool). */
  readonly #skips: Uint16Array;
  #state: 'preamble' | 'headers' | 'content' | 'done' = 'preamble';
  /** Bytes that cannot be told yet. The line break before the first boundary may be missing; here it never is. */
  #held: Uint8Array = Uint8Array.of(CR, LF);
  /** Bytes before the content that only a delimiter may need. */
  #leading = 0;

  constructor(boundary: string) {
    const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
    const last = delimiter.length - 1;
    this.#delimiter = delimiter;
    this.#skips = new Uint16Array(256).fill(delimiter.length);
    for (const [index, byte] of delimiter.entries()) {
      if (index < last) this.#skips[byte] = last - index;
    }
  }

  /** Takes the next bytes of the body. Throws MultipartError. */
  *write(chunk: Uint8Array): Generator<MultipartEvent> {
    const data = this.#held.length === 0 ? chunk : concat(this.#held, chunk);
    this.#held = new Uint8Array();
    let position = 0;
    while (position < data.length && this.#state !== 'done') {
      if (this.#state === 'headers') {
        const end = endOfHeaders(data, position);
        if (end === null) return this.#hold(data, position);
        yield { kind: 'part', part: parseHeaders(data.subarray(position, end - 4)) };
        this.#state = 'content';
        // A part may have no content at all: the empty line after its headers then begins the delimiter.
        position = end - 2;
        this.#leading = 2;
        continue;
      }
      const found = this.#findDelimiter(data, position);
      if (this.#state === 'content' && found.at > position) {
        if (found.at > position + this.#leading) {
          yield { kind: 'bytes', bytes: data.subarray(position + this.#leading, found.at) };
        }
        this.#leading = 0;
      }
      if (found.after === null) return this.#hold(data, found.at);
      if (this.#state === 'content') yield { kind: 'end' };
      this.#state = found.last ? 'done' : 'headers';
      position = found.after;
    }
  }

  /** Says that the body is over. Throws MultipartError where that is too early. */
  end(): void {
    if (this.#state === 'done') return;
    throw new MultipartError(
      this.#state === 'preamble'
        ? 'has no part: its boundary does not occur in it'
        : 'ends before its closing boundary',
    );
  }

  #hold(data: Uint8Array, from: number): void {
    this.#held = data.slice(from);
  }

  /**
   * The next line that is a delimiter: where it begins, what follows it, whether it is the closing one. `after` is null
   * where the data end before that can be told; from `at` on they are needed again.
   */
  #findDelimiter(
    data: Uint8Array,
    from: number,
  ): { at: number; after: number | null; last: boolean } {
    const delimiter = this.#delimiter;
    const { length } = delimiter;
    let at = from;
    while (at + length <= data.length) {
      let matched = 0;
      while (matched < length && data[at + matched] === delimiter[matched]) matched += 1;
      if (matched === length) {
        const line = endOfDelimiterLine(data, at + length);
        if (line === 'open') return { at, after: null, last: false };
        if (line !== 'none') return { at, ...line };
      }
      at += this.#skips[data[at + length - 1]!]!;
    }
    for (at = Math.min(at, data.length); at < data.length; at += 1) {
      let matched = 0;
      while (at + matched < data.length && data[at + matched] === delimiter[matched]) matched += 1;
      if (at + matched === data.length) break;
    }
    return { at, after: null, last: false };
  }
}

/** What follows a boundary: the rest of its line, `none` where it is no delimiter after all, `open` where data end. */
function endOfDelimiterLine(
  data: Uint8Array,
  from: number,
): { after: number; last: boolean } | 'none' | 'open' {
  if (data[from] === DASH) {
    if (from + 1 >= data.length) return 'open';
    if (data[from + 1] === DASH) return { after: from + 2, last: true };
    return 'none';
  }
  let position = from;
  while (data[position] === 0x20 || data[position] === 0x09) position += 1;
  if (position - from > MAX_PADDING) return 'none';
  if (position >= data.length) return 'open';
  if (data[position] !== CR) return 'none';
  if (position + 1 >= data.length) return 'open';
  return data[position + 1] === LF ? { after: position + 2, last: false } : 'none';
}

/** Where the content after the headers begins, or null where the data end before that. */
function endOfHeaders(data: Uint8Array, from: number): number | null {
  if (data[from] === CR && data[from + 1] === LF)
    throw new MultipartError('has a part without headers');
  let position = data.indexOf(CR, from);
  while (position >= 0 && position + 3 < data.length) {
    if (position - from > MAX_HEADER_BYTES) break;
    if (data[position + 1] === LF && data[position + 2] === CR && data[position + 3] === LF) {
      return position + 4;
    }
    position = data.indexOf(CR, position + 1);
  }
  if (data.length - from > MAX_HEADER_BYTES) {
    throw new MultipartError(`has a part with more than ${MAX_HEADER_BYTES / 1024} KB of headers`);
  }
  return null;
}

function parseHeaders(bytes: Uint8Array): PartHeader {
  const headers = new Map<string, string>();
  // A line that begins with white space continues the one before it (RFC 5322 §2.2.3).
  for (const line of utf8
    .decode(bytes)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const match = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line);
    if (!match) throw new MultipartError('has a part with a header that is none');
    const name = match[1]!.toLowerCase();
    if (headers.has(name)) throw new MultipartError(`has a part with two headers "${name}"`);
    headers.set(name, match[2]!.trim());
  }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!/^(7bit|8bit|binary)$/.test(coding)) {
    throw new MultipartError(
      'has a part with a Content-Transfer-Encoding, which HTTP does not need: send its bytes as they are',
    );
  }
  const disposition = parametersOf(headers.get('content-disposition') ?? '');
  const name = disposition.get('name');
  if (name === undefined) throw new MultipartError('has a part without a name');
  const type = headers.get('content-type') ?? '';
  return {
    name: unescapeName(name),
    filename:
      extendedValue(disposition.get('filename*')) ??
      mapped(disposition.get('filename'), unescapeName),
    contentType: mediaTypeOf(type),
    charset: parametersOf(type).get('charset')?.toLowerCase(),
  };
}

/** The parameters after the first semicolon of a header's value, by lower-case name; the first of a name counts. */
function parametersOf(value: string): Map<string, string> {
  const parameters = new Map<string, string>();
  // A quoted value may end with a backslash that escapes nothing: browsers leave it as it is.
  const pattern =
    /;\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^";]*))\s*(?=;|$)/gs;
  for (const [, name, quoted, plain, token] of value.matchAll(pattern)) {
    const key = name!.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted ?? plain ?? token!.trim());
  }
  return parameters;
}

/** Browsers and curl write quotes and line breaks as %22, %0D, %0A (WHATWG, HTML §4.10.21.8); others write \". */
const unescapeName = (name: string) =>
  name.replaceAll('\\"', '"').replaceAll('%22', '"').replace(/%0d/gi, '\r').replace(/%0a/gi, '\n');

/** A value of RFC 8187, `UTF-8''na%C3%AFve.txt`; undefined where it is none. */
function extendedValue(value: string | undefined): string | undefined {
  const match = /^([\w-]+)'[\w-]*'(.*)$/s.exec(value ?? '');
  if (!match) return undefined;
  const bytes = match[2]!.replace(/%([\da-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    const raw = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
    return new TextDecoder(match[1], { fatal: true, ignoreBOM: false }).decode(raw);
  } catch {
    return undefined;
  }
}

const mapped = <T>(value: T | undefined, change: (value: T) => T) =>
  value === undefined ? undefined : change(value);

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
