/** Reads the operators and operands of content streams (ISO 32000-1, section 7.8.2). */
import { PdfDamage, type PdfDictionary, PdfName, PdfStream, type PdfValue } from './objects.ts';
import { Parser } from './parser.ts';

const MAX_OPERANDS = 10_000;

type Operator = [operator: string, operands: PdfValue[], start: number, end: number];

/**
 * Yields the operators with their operands, and with the start and end offsets of the operator itself. An inline image
 * is one `BI` operator whose only operand is the image. Throws PdfDamage.
 */
export function* readContent(bytes: Uint8Array, maxOperands = MAX_OPERANDS): Generator<Operator> {
  const parser = new Parser(bytes);
  let operands: PdfValue[] = [];
  for (;;) {
    parser.skipSpace();
    const code = bytes[parser.position];
    if (code === undefined) return;
    if (!startsWord(code)) {
      operands.push(parser.value());
      if (operands.length > maxOperands) throw new PdfDamage('an operator has too many operands');
      continue;
    }
    const start = parser.position;
    const word = wordAt(bytes, start);
    parser.position += word.length;
    if (word === 'true' || word === 'false' || word === 'null') {
      operands.push(word === 'null' ? null : word === 'true');
      continue;
    }
    if (word === 'BI') operands = [inlineImage(parser)];
    yield [word, operands, start, parser.position];
    operands = [];
  }
}

const isRegular = (code: number) => code > 32 && !'()<>[]{}/%'.includes(String.fromCharCode(code));
const REGULAR = Uint8Array.from({ length: 256 }, (_, code) => (isRegular(code) ? 1 : 0));

/**
 * Whether an operator can start with this character, such as a letter or a quote. Numbers, names, strings and arrays
 * start with other characters.
 */
export const startsWord = (code: number) =>
  code === 34 || code === 39 || (code >= 65 && REGULAR[code] === 1);

export function wordAt(bytes: Uint8Array, start: number): string {
  let end = start;
  while (end < bytes.length && REGULAR[bytes[end] as number] === 1) end += 1;
  return String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 32)));
}

/** Reads to the end of `EI`. White space or delimiters must surround it, and no binary data may follow. */
function inlineImage(parser: Parser): PdfStream {
  const { bytes } = parser;
  const entries: PdfDictionary = new Map();
  while (!parser.keyword('ID')) {
    const key = parser.value();
    if (key instanceof PdfName) entries.set(key.value, parser.value());
  }
  const start = parser.position + 1;
  for (let at = start - 1; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 69 || bytes[at + 1] !== 73) continue;
    const isAlone = REGULAR[bytes[at - 1] ?? 32] === 0 && REGULAR[bytes[at + 2] ?? 32] === 0;
    if (!isAlone || !isText(bytes.subarray(at + 2, at + 12))) continue;
    parser.position = at + 2;
    return new PdfStream(entries, bytes.subarray(start, Math.max(start, at - 1)));
  }
  throw new PdfDamage('an inline image has no end');
}

const isText = (bytes: Uint8Array) =>
  bytes.every((code) => (code >= 32 && code < 127) || code === 10 || code === 13 || code === 9);
