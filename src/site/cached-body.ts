/** A response body that is sent repeatedly. Its bytes are compressed once, and its ETag is derived from its content. */

import { matchesTag } from '../core/entity-tag.ts';
import { crc32 } from '../lib/crc32.ts';

export class CachedBody {
  readonly #headers: Record<string, string>;
  readonly #plain: Uint8Array;
  readonly #packed: Uint8Array;
  readonly #tag: string;

  private constructor(headers: Record<string, string>, plain: Uint8Array, packed: Uint8Array) {
    this.#plain = plain;
    this.#packed = packed;
    // The tag is weak, because the compressed and the uncompressed bytes share it.
    this.#tag = `W/"${crc32(plain).toString(36)}-${plain.byteLength.toString(36)}"`;
    this.#headers = { ...headers, ETag: this.#tag, Vary: 'Accept-Encoding' };
  }

  static async of(
    content: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
  ): Promise<CachedBody> {
    const plain = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const packer = new Blob([plain]).stream().pipeThrough(new CompressionStream('gzip'));
    const packed = new Uint8Array(await new Response(packer).arrayBuffer());
    return new CachedBody(headers, plain, packed);
  }

  /** Returns the response to a request. The status is 304 if the client has the current version. */
  answer(request: Request): Response {
    if (matchesTag(request.headers.get('If-None-Match'), this.#tag)) {
      return new Response(null, { status: 304, headers: this.#headers });
    }
    if (!takesGzip(request)) return new Response(this.#plain, { headers: this.#headers });
    const headers = { ...this.#headers, 'Content-Encoding': 'gzip' };
    return new Response(this.#packed, { headers, encodeBody: 'manual' });
  }
}

/** Whether the client accepts gzip (RFC 9110, section 12.5.3). `gzip;q=0` means that it does not. */
const takesGzip = (request: Request): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers.get('Accept-Encoding') ?? '');
