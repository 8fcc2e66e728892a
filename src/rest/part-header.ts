/** Parses the headers of a multipart/form-data part (RFC 7578, section 4) in linear time. */

import { mediaTypeOf } from '../lib/body.ts';
import { headerParameters } from '../lib/header-parameters.ts';

export interface PartHeader {
  /** The field's name. */
  name: string;
  /** The file's name, as sent. Undefined if the part is not a file. */
  filename: string | undefined;
  /** The media type in lower case, without parameters. It is empty if the part has no type. */
  contentType: string;
  /** The charset parameter of the media type, in lower case. */
  charset: string | undefined;
}

/** An error in the body. The message describes it to the sender. */
export class MultipartError extends Error {}

/** The maximum number of headers of a part. Browsers send two headers, and mail programs send about five. */
const MAX_HEADERS = 16;
/** The maximum number of characters of a header's value. A value can contain a file name of 255 bytes twice. */
const MAX_VALUE = 1024;
/** The accepted values of Content-Transfer-Encoding. HTTP needs no other encodings (RFC 7578, section 4.7). */
const PLAIN_CODINGS = ['7bit', '8bit', 'binary'];
/** The punctuation marks that a header's name may contain (RFC 9110, section 5.6.2). */
const TOKEN_MARKS = "!#$%&'*+-.^_`|~";

const utf8 = new TextDecoder();

/**
 * Parses the headers of a part.
 *
 * @param bytes the headers, without the empty line after them
 * @throws MultipartError
 */
export function parsePartHeader(bytes: Uint8Array): PartHeader {
  const headers = new Map<string, string>();
  for (const line of unfold(utf8.decode(bytes))) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!isToken(name)) throw new MultipartError('has a part with a malformed header');
    if (headers.has(name)) throw new MultipartError(`has a part with two headers "${name}"`);
    const value = line.slice(colon + 1).trim();
    if (value.length > MAX_VALUE) {
      throw new MultipartError(`has a part with a header of more than ${MAX_VALUE} characters`);
    }
    headers.set(name, value);
    if (headers.size > MAX_HEADERS) {
      throw new MultipartError(`has a part with more than ${MAX_HEADERS} headers`);
    }
  }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!PLAIN_CODINGS.includes(coding)) {
    throw new MultipartError(
      'has a part with a Content-Transfer-Encoding: send the bytes unencoded',
    );
  }
  const disposition = headerParameters(headers.get('content-disposition') ?? '');
  const name = disposition.get('name');
  if (name === undefined) throw new MultipartError('has a part without a name');
  const filename = disposition.get('filename');
  const type = headers.get('content-type') ?? '';
  return {
    name: unescapeName(name),
    filename:
      extendedValue(disposition.get('filename*') ?? '') ??
      (filename === undefined ? undefined : unescapeName(filename)),
    contentType: mediaTypeOf(type),
    charset: headerParameters(type).get('charset')?.toLowerCase(),
  };
}

/**
 * Splits the header into lines. A line that begins with white space continues the previous line (RFC 5322, section
 * 2.2.3).
 */
function unfold(text: string): string[] {
  const lines: string[][] = [];
  for (const line of text.split('\r\n')) {
    const continues = line.startsWith(' ') || line.startsWith('\t');
    if (continues && lines.length > 0) lines.at(-1)!.push(line.trim());
    else lines.push([line]);
  }
  return lines.map((pieces) => pieces.join(' '));
}

function isToken(name: string): boolean {
  for (const character of name) {
    const isWord = (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
    if (!isWord && !TOKEN_MARKS.includes(character)) return false;
  }
  return name !== '';
}

/**
 * Decodes quotes and line breaks. Browsers and curl send %22, %0D and %0A (WHATWG HTML, section 4.10.21.8). Other
 * clients send \".
 */
const unescapeName = (name: string) =>
  name
    .replaceAll('\\"', '"')
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0d', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%0a', '\n');

/**
 * Decodes a value in the format of RFC 8187, such as `UTF-8''na%C3%AFve.txt`. Returns undefined if the value is
 * malformed.
 */
function extendedValue(value: string): string | undefined {
  const charsetEnd = value.indexOf("'");
  const languageEnd = value.indexOf("'", charsetEnd + 1);
  if (charsetEnd < 1 || languageEnd < 0) return undefined;
  try {
    const decoder = new TextDecoder(value.slice(0, charsetEnd), { fatal: true, ignoreBOM: false });
    return decoder.decode(percentDecoded(value.slice(languageEnd + 1)));
  } catch {
    return undefined;
  }
}

function percentDecoded(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let position = 0; position < text.length; position += 1) {
    const escaped = text[position] === '%' ? hexPair(text, position + 1) : null;
    bytes[length] = escaped ?? text.charCodeAt(position);
    length += 1;
    if (escaped !== null) position += 2;
  }
  return bytes.subarray(0, length);
}

function hexPair(text: string, from: number): number | null {
  const high = HEX.indexOf(text[from]?.toLowerCase() ?? ' ');
  const low = HEX.indexOf(text[from + 1]?.toLowerCase() ?? ' ');
  return high < 0 || low < 0 ? null : high * 16 + low;
}

const HEX = '0123456789abcdef';
