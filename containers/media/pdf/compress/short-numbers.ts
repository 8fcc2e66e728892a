/** Shortens the numbers in the content of pages and forms to the precision that readers can display. */
import { startsWord, wordAt } from '../content.ts';
import { PdfReference, PdfStream, type PdfValue, unlessDamaged } from '../objects.ts';
import { readPages } from '../pages.ts';
import { Parser } from '../parser.ts';
import { decodedData, flateStream } from '../stream-data.ts';
import type { Draft } from './draft.ts';

const MAX_BYTES = 32 * 1024 * 1024;
/** The number of significant digits of a number below 1,000. */
const SIGNIFICANT_DIGITS = 6;
/**
 * The minimum number of decimal places, so that rounding moves a coordinate by at most 1/2,000 of a unit. Large numbers
 * need them too, because a matrix can scale them to the size of the page, as on maps.
 */
const MIN_DECIMALS = 3;
const MAX_DECIMALS = 10;
/** The minimum saving, as a share of the encoded size, that justifies changing the content. */
const MIN_SAVING = 0.02;
const LONGEST_NUMBER = 40;
const LONG_NUMBER = /^[+-]?\d*\.\d{4,}$/;

const ARRAY_BEGIN = 0x5b;
const ARRAY_END = 0x5d;

/**
 * Shortens the numbers. Returns the indexes, from 0, of the pages whose own content streams became smaller, but not of
 * pages on which only forms did. Throws PdfDamage.
 */
export function shortenNumbers(draft: Draft): number[] {
  const changed = new Set<number>();
  for (const [reference, stream] of contentOf(draft)) {
    const data = decodedData(draft, stream, MAX_BYTES);
    const short = data && unlessDamaged(() => withShortNumbers(data));
    const smaller = short && flateStream(short, stream.dictionary);
    const most = stream.encoded.length * (1 - MIN_SAVING);
    if (!smaller || smaller.encoded.length > most) continue;
    draft.set(reference, smaller);
    changed.add(reference.number);
  }
  const { list } = readPages(draft.document);
  return [...list.keys()].filter((index) =>
    piecesOf(draft, list[index]!.dictionary.get('Contents')).some(({ number }) =>
      changed.has(number),
    ),
  );
}

/** Returns the content streams of pages and the form XObjects. */
function contentOf(draft: Draft): [PdfReference, PdfStream][] {
  const objects = draft.objects();
  const pieces = new Set<number>();
  for (const { dictionary } of readPages(draft.document).list) {
    for (const { number } of piecesOf(draft, dictionary.get('Contents'))) pieces.add(number);
  }
  return objects.filter((object): object is [PdfReference, PdfStream] => {
    const [reference, value] = object;
    if (!(value instanceof PdfStream)) return false;
    const isForm = draft.isNamed(value.dictionary.get('Subtype'), 'Form');
    return isForm || pieces.has(reference.number);
  });
}

/** Returns the references to the streams of a page's content. */
const piecesOf = (draft: Draft, contents: PdfValue | undefined): PdfReference[] =>
  draft.list(contents).filter((piece) => piece instanceof PdfReference);

/**
 * Returns the shorter content, or undefined if no number changes or the content has inline images. Throws PdfDamage.
 */
function withShortNumbers(data: Uint8Array): Uint8Array | undefined {
  const parser = new Parser(data);
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (;;) {
    parser.skipSpace();
    const start = parser.position;
    const code = data[start];
    if (code === undefined) break;
    if (startsWord(code)) {
      const word = wordAt(data, start);
      if (word === 'BI') return undefined;
      parser.position += word.length;
    } else if (code === ARRAY_BEGIN || code === ARRAY_END) {
      parser.position += 1;
    } else {
      parser.value();
      const short = shortNumber(data.subarray(start, parser.position));
      if (short === undefined) continue;
      pieces.push(data.subarray(copied, start), Buffer.from(short));
      copied = parser.position;
    }
  }
  if (copied === 0) return undefined;
  return Buffer.concat([...pieces, data.subarray(copied)]);
}

/** Returns the number with fewer decimal places, or undefined if the token is not a number with many decimal places. */
function shortNumber(token: Uint8Array): string | undefined {
  if (token.length > LONGEST_NUMBER) return undefined;
  const text = Buffer.from(token).toString('latin1');
  if (!LONG_NUMBER.test(text)) return undefined;
  const value = Number(text);
  const digits = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value))) + 1;
  const decimals = Math.max(MIN_DECIMALS, SIGNIFICANT_DIGITS - digits);
  const fixed = value.toFixed(Math.min(MAX_DECIMALS, decimals));
  let end = fixed.length;
  while (fixed[end - 1] === '0') end -= 1;
  if (fixed[end - 1] === '.') end -= 1;
  const short = fixed.slice(0, end).replace(/^(-?)0\./, '$1.');
  return short === '-0' ? '0' : short;
}
