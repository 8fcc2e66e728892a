/**
 * Implements a streaming parser of multipart/form-data (RFC 7578; RFC 2046, section 5.1). It accepts chunks of any
 * size, runs in linear time, and yields parts and their content, mostly without copying.
 */
import { headerParameters, unescapeQuoted } from '../lib/header-parameters.ts';
import { MultipartError, type PartHeader, parsePartHeader } from './part-header.ts';

export type MultipartEvent =
  | { kind: 'part'; part: PartHeader }
  /**
   * Content of the part. It shares memory with the chunk that `write` received, so use it before that memory is reused.
   */
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'end' };

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;
const DELETE = 0x7f;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_BOUNDARY = 256;
/** The maximum number of white space characters between a boundary and the end of its line. */
const MAX_PADDING = 256;

/** Returns the boundary in a Content-Type value. Returns null if it is missing, too long or malformed. */
export function boundaryOf(contentType: string): string | null {
  const boundary = unescapeQuoted(headerParameters(contentType).get('boundary') ?? '');
  if (boundary === '' || boundary.length > MAX_BOUNDARY) return null;
  for (const character of boundary) {
    const code = character.charCodeAt(0);
    if (code < SPACE || code === DELETE) return null;
  }
  return boundary;
}

export class MultipartParser {
  /**
   * The bytes that end a part's content, which are CR LF, two hyphens and the boundary. CR occurs only at the
   * beginning, so after a mismatch no matched byte can begin another delimiter. The search therefore runs in linear
   * time.
   */
  readonly #delimiter: Uint8Array;
  /** The distance that the search can skip, indexed by the last byte of the search window (Boyer–Moore–Horspool). */
  readonly #skips: Uint16Array;
  #state: 'preamble' | 'headers' | 'content' | 'done' = 'preamble';
  /** The number of bytes at the beginning of the delimiter that have matched so far. */
  #matched = 0;
  /** The state within the line that follows a complete delimiter. */
  #line: 'padding' | 'hyphen' | 'cr' = 'padding';
  #padding = 0;
  /**
   * The bytes of earlier chunks that may turn out to be a delimiter or content. The first #leading bytes are never
   * content.
   */
  readonly #carried: Uint8Array;
  #carriedLength = 0;
  #leading = 0;
  readonly #header = new Uint8Array(MAX_HEADER_BYTES);
  #headerLength = 0;

  constructor(boundary: string) {
    const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
    const last = delimiter.length - 1;
    this.#delimiter = delimiter;
    this.#skips = new Uint16Array(256).fill(delimiter.length);
    for (const [index, byte] of delimiter.entries()) {
      if (index < last) this.#skips[byte] = last - index;
    }
    this.#carried = new Uint8Array(delimiter.length + MAX_PADDING + 1);
    this.#afterLineBreak();
  }

  /** Parses the next bytes of the body. Throws MultipartError. */
  *write(chunk: Uint8Array): Generator<MultipartEvent> {
    let position = 0;
    // The bytes from `start` on have not been yielded yet. The bytes from `candidate` on may be a delimiter.
    let start = 0;
    let candidate = 0;
    while (position < chunk.length && this.#state !== 'done') {
      if (this.#state === 'headers') {
        const end = this.#readHeaders(chunk, position);
        if (end === null) return;
        yield { kind: 'part', part: parsePartHeader(this.#header.subarray(0, this.#headerLength)) };
        this.#headerLength = 0;
        this.#state = 'content';
        this.#afterLineBreak();
        start = end;
        candidate = end;
        position = end;
        continue;
      }
      if (this.#matched === 0) {
        candidate = this.#findCandidate(chunk, position);
        position = candidate + this.#matched;
        continue;
      }
      const found = this.#step(chunk[position]!);
      if (found === 'none') {
        if (this.#state === 'content' && this.#carriedLength > this.#leading) {
          yield {
            kind: 'bytes',
            bytes: this.#carried.subarray(this.#leading, this.#carriedLength),
          };
        }
        this.#forgetCandidate();
        continue;
      }
      position += 1;
      if (found === 'open') continue;
      if (this.#state === 'content') {
        if (candidate > start) yield { kind: 'bytes', bytes: chunk.subarray(start, candidate) };
        yield { kind: 'end' };
      }
      this.#forgetCandidate();
      this.#state = found;
    }
    if (this.#state === 'headers' || this.#state === 'done') return;
    const end = this.#matched === 0 ? chunk.length : candidate;
    if (this.#state === 'content' && end > start) {
      yield { kind: 'bytes', bytes: chunk.subarray(start, end) };
    }
    this.#carried.set(chunk.subarray(end), this.#carriedLength);
    this.#carriedLength += chunk.length - end;
  }

  /** Must be called at the end of the body. Throws MultipartError if the body is incomplete. */
  end(): void {
    if (this.#state === 'done') return;
    throw new MultipartError(
      this.#state === 'preamble'
        ? 'has no part: it does not contain the boundary that Content-Type declares'
        : 'ends before its closing boundary',
    );
  }

  /**
   * Treats the preceding line break as the possible beginning of a delimiter. This is needed because an empty part has
   * no other line break, and because the body may begin without one.
   */
  #afterLineBreak(): void {
    this.#carried.set([CR, LF]);
    this.#carriedLength = 2;
    this.#leading = 2;
    this.#matched = 2;
  }

  #forgetCandidate(): void {
    this.#carriedLength = 0;
    this.#leading = 0;
    this.#matched = 0;
    this.#line = 'padding';
    this.#padding = 0;
  }

  /**
   * Returns the position of a delimiter, which may be cut off by the end of the chunk. Returns the end of the
   * chunk if the chunk has no delimiter.
   */
  #findCandidate(chunk: Uint8Array, from: number): number {
    const delimiter = this.#delimiter;
    const { length } = delimiter;
    let at = from;
    while (at + length <= chunk.length) {
      let matched = 0;
      while (matched < length && chunk[at + matched] === delimiter[matched]) matched += 1;
      if (matched === length) {
        this.#matched = matched;
        return at;
      }
      at += this.#skips[chunk[at + length - 1]!]!;
    }
    for (; at < chunk.length; at += 1) {
      let matched = 0;
      while (at + matched < chunk.length && chunk[at + matched] === delimiter[matched]) {
        matched += 1;
      }
      if (at + matched < chunk.length) continue;
      this.#matched = matched;
      return at;
    }
    return chunk.length;
  }

  /**
   * Reads a byte of a delimiter or its line. Returns the next state, which is `open` if the line continues and `none`
   * if the bytes are not a delimiter.
   */
  #step(byte: number): 'headers' | 'done' | 'open' | 'none' {
    if (this.#matched < this.#delimiter.length) {
      if (byte !== this.#delimiter[this.#matched]) return 'none';
      this.#matched += 1;
      return 'open';
    }
    if (this.#line === 'hyphen') return byte === DASH ? 'done' : 'none';
    if (this.#line === 'cr') return byte === LF ? 'headers' : 'none';
    if (byte === CR) this.#line = 'cr';
    else if (byte === DASH && this.#padding === 0) this.#line = 'hyphen';
    else if ((byte === SPACE || byte === TAB) && this.#padding < MAX_PADDING) this.#padding += 1;
    else return 'none';
    return 'open';
  }

  /**
   * Collects the headers of a part. Returns the position at which its content begins, or null if the chunk ends before
   * that.
   */
  #readHeaders(chunk: Uint8Array, from: number): number | null {
    const header = this.#header;
    for (let position = from; position < chunk.length; position += 1) {
      const length = this.#headerLength;
      if (length === MAX_HEADER_BYTES) {
        throw new MultipartError(
          `has a part with more than ${MAX_HEADER_BYTES / 1024} KB of headers`,
        );
      }
      header[length] = chunk[position]!;
      this.#headerLength = length + 1;
      if (chunk[position] !== LF || header[length - 1] !== CR) continue;
      if (length === 1) throw new MultipartError('has a part without headers');
      if (header[length - 2] === LF && header[length - 3] === CR) {
        this.#headerLength = length - 3;
        return position + 1;
      }
    }
    return null;
  }
}
