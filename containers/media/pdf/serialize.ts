/** Serializes PDF objects (ISO 32000-1, section 7.3). */
import { PdfName, PdfReference, PdfStream, PdfString, type PdfValue } from './objects.ts';

const HEX = Array.from({ length: 256 }, (_, code) => code.toString(16).padStart(2, '0'));

/** Caches encoded names, because a file may repeat a name thousands of times. */
const NAMES = new Map<string, string>();

function nameText(value: string): string {
  const known = NAMES.get(value);
  if (known !== undefined) return known;
  const text = `/${value.replace(
    /[^!-~]|[()<>[\]{}/%#]/g,
    (character) => `#${HEX[character.charCodeAt(0) & 255]}`,
  )}`;
  if (NAMES.size < 2000) NAMES.set(value, text);
  return text;
}

/** The number of significant digits that a decimal number retains when it is read as a double. */
const EXACT_DIGITS = 15;
const MAX_DECIMALS = 20;

/**
 * Returns up to 15 significant digits. With fewer, a page could become slightly larger, and poppler would render an
 * extra column of pixels.
 */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return '0';
  const exact = Number.isSafeInteger(value) ? value : Number(value.toPrecision(EXACT_DIGITS));
  return withoutExponent(exact).replace(/^(-?)0\./, '$1.');
}

/** PDF does not allow exponents in numbers. */
function withoutExponent(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  if (Number.isInteger(value)) return String(BigInt(value));
  const fixed = value.toFixed(MAX_DECIMALS).replace(/0{1,20}$/, '');
  return fixed.endsWith('.') ? '0' : fixed;
}

function stringText(bytes: Uint8Array): string {
  let text = '';
  for (const code of bytes) {
    if (code < 32 || code > 126) return hexText(bytes);
    if (code === 40 || code === 41 || code === 92) text += '\\';
    text += String.fromCharCode(code);
  }
  return `(${text})`;
}

function hexText(bytes: Uint8Array): string {
  let text = '<';
  for (const code of bytes) text += HEX[code];
  return `${text}>`;
}

const sameReference = ({ number, generation }: PdfReference) => `${number} ${generation} R`;

/**
 * Returns one object as ASCII text. `referenceText` formats references. Throws for a stream, because only the
 * writer of a file can write the bytes of a stream.
 */
export function serialize(
  value: PdfValue,
  referenceText: (reference: PdfReference) => string = sameReference,
): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return numberText(value);
  if (value instanceof PdfName) return nameText(value.value);
  if (value instanceof PdfReference) return referenceText(value);
  if (value instanceof PdfString) return stringText(value.bytes);
  if (Array.isArray(value)) {
    return `[${value.map((item) => serialize(item, referenceText)).join(' ')}]`;
  }
  if (value instanceof PdfStream) throw new TypeError('a stream is not a direct object');
  let text = '<<';
  for (const [key, item] of value) text += `${nameText(key)} ${serialize(item, referenceText)}\n`;
  return `${text}>>`;
}

const ENCODER = new TextEncoder();

/** Converts the output of `serialize`, which is always ASCII, to bytes. */
export const asciiBytes = (text: string): Uint8Array => ENCODER.encode(text);
