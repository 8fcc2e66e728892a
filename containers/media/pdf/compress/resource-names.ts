/** Gives each font, graphics state and XObject of a page one name (ISO 32000-1, section 7.8.3). */
import { startsWord, wordAt } from '../content.ts';
import {
  isDictionary,
  name,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  type PdfValue,
  unlessDamaged,
} from '../objects.ts';
import { readPages } from '../pages.ts';
import { Parser } from '../parser.ts';
import { serialize } from '../serialize.ts';
import { decodedData, flateStream } from '../stream-data.ts';
import type { Draft } from './draft.ts';

/** The maximum size of the decoded content of all changed pages, in bytes. Pages may share content. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The minimum share of superfluous names. */
const MIN_SHARE = 0.5;
/** The categories of resources, and the operators that name them. */
const OPERATORS = { Font: 'Tf', ExtGState: 'gs', XObject: 'Do' };

/** The name that replaces each superfluous name, by operator. */
type Renames = Map<string, Map<string, string>>;

/**
 * Renames the resources that a page lists several times. pdf-lib, for example, lists a font once for each text. Returns
 * the indexes, from 0, of the changed pages. Throws PdfDamage.
 */
export function mergeResourceNames(draft: Draft): number[] {
  if (draft.objects().some(([, value]) => usesOtherResources(draft, value))) return [];
  const pages = readPages(draft.document).list.map(({ reference, inherited }) => {
    const page = draft.dictionary(reference);
    const resources = draft.dictionary(page?.get('Resources') ?? inherited.get('Resources'));
    return { reference, page, resources };
  });
  const isShared = sharedNames(
    draft,
    pages.map(({ resources }) => resources),
  );
  const budget = { bytes: MAX_BYTES };
  return [...pages.keys()].filter((index) => {
    const { reference, page, resources } = pages[index]!;
    const changed = page && resources && mergedNames(draft, page, resources, isShared, budget);
    if (changed) draft.set(reference, changed);
    return changed !== undefined;
  });
}

/**
 * Returns a function that tells whether several pages use the same list of names. Such lists stay unchanged, because
 * each page would get its own copy.
 */
function sharedNames(draft: Draft, ofPages: readonly (PdfDictionary | undefined)[]) {
  const [seen, shared] = [new Set<PdfDictionary>(), new Set<PdfDictionary>()];
  for (const resources of ofPages) {
    for (const category of Object.keys(OPERATORS)) {
      const entries = draft.dictionary(resources?.get(category));
      if (entries) (seen.has(entries) ? shared : seen).add(entries);
    }
  }
  return (entries: PdfDictionary) => shared.has(entries);
}

/** Whether content may use the resources of the page that shows it. */
function usesOtherResources(draft: Draft, value: PdfValue): boolean {
  const entries = value instanceof PdfStream ? value.dictionary : value;
  if (!isDictionary(entries) || entries.has('Resources')) return false;
  return (
    ['Form', 'Type3'].some((subtype) => draft.isNamed(entries.get('Subtype'), subtype)) ||
    draft.resolve(entries.get('PatternType')) === 1
  );
}

/** Returns the changed page, or undefined if no resource has several names or the content cannot be read. */
function mergedNames(
  draft: Draft,
  page: PdfDictionary,
  resources: PdfDictionary,
  isShared: (names: PdfDictionary) => boolean,
  budget: { bytes: number },
): PdfDictionary | undefined {
  const renames = superfluousNames(draft, resources, isShared);
  if (renames.size === 0) return undefined;
  const neededNames = new Set<string>();
  const contents: PdfValue[] = [];
  for (const piece of draft.list(page.get('Contents'))) {
    const stream = draft.resolve(piece);
    const data = stream instanceof PdfStream && decodedData(draft, stream, budget.bytes);
    budget.bytes -= data ? data.length : budget.bytes;
    const content = data && unlessDamaged(() => withNames(data, renames, neededNames));
    if (!content) return undefined;
    contents.push(content === data ? piece : draft.add(flateStream(content)));
  }
  const result: PdfDictionary = new Map(resources);
  for (const [category, operator] of Object.entries(OPERATORS)) {
    const renamed = renames.get(operator);
    const entries = renamed && draft.dictionary(resources.get(category));
    if (!entries) continue;
    const remaining = [...entries].filter(([key]) => !renamed.has(key) || neededNames.has(key));
    result.set(category, new Map(remaining));
  }
  return new Map(page).set('Contents', contents).set('Resources', result);
}

/**
 * Finds the names of resources that are also listed under another name that is not longer, in categories where at least
 * the share MIN_SHARE of the names is superfluous.
 */
function superfluousNames(
  draft: Draft,
  resources: PdfDictionary,
  isShared: (names: PdfDictionary) => boolean,
): Renames {
  const renames: Renames = new Map();
  for (const [category, operator] of Object.entries(OPERATORS)) {
    const shortest = new Map<number, string>();
    const renamed = new Map<string, string>();
    const entries = draft.dictionary(resources.get(category));
    if (!entries || isShared(entries)) continue;
    for (const [key, value] of entries) {
      if (!(value instanceof PdfReference)) continue;
      const other = shortest.get(value.number);
      // A longer name would make the content longer each time that it replaces a shorter one.
      if (other === undefined || key.length < other.length) shortest.set(value.number, key);
    }
    for (const [key, value] of entries) {
      const other = value instanceof PdfReference ? shortest.get(value.number) : undefined;
      if (other !== undefined && other !== key) renamed.set(key, other);
    }
    const share = renamed.size / Math.max(1, entries.size);
    if (share >= MIN_SHARE) renames.set(operator, renamed);
  }
  return renames;
}

/**
 * Returns the content with other names, and adds the operands that are not renamed to `neededNames`. Returns `data` if
 * no name changes, or undefined if the content has inline images. Throws PdfDamage.
 */
function withNames(
  data: Uint8Array,
  renames: Renames,
  neededNames: Set<string>,
): Uint8Array | undefined {
  const parser = new Parser(data);
  const pieces: Uint8Array[] = [];
  let copied = 0;
  let operand: { start: number; end: number; key: string } | undefined;
  for (;;) {
    parser.skipSpace();
    const start = parser.position;
    const code = data[start];
    if (code !== undefined && !startsWord(code)) {
      const value = parser.value();
      if (!(value instanceof PdfName)) continue;
      if (operand) neededNames.add(operand.key);
      operand = { start, end: parser.position, key: value.value };
      continue;
    }
    const word = code === undefined ? '' : wordAt(data, start);
    const other = operand && renames.get(word)?.get(operand.key);
    if (operand && other !== undefined) {
      pieces.push(data.subarray(copied, operand.start), Buffer.from(serialize(name(other))));
      copied = operand.end;
    } else if (operand) neededNames.add(operand.key);
    operand = undefined;
    if (code === undefined) break;
    if (word === 'BI') return undefined;
    parser.position += word.length;
  }
  return copied > 0 ? Buffer.concat([...pieces, data.subarray(copied)]) : data;
}
