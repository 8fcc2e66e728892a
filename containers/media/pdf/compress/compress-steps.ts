/** Makes a document smaller in steps. Each step can be omitted. */
import type { PdfDocument } from '../document.ts';
import { PdfStream, unlessDamaged } from '../objects.ts';
import { decodedData } from '../stream-data.ts';
import { cleanUp } from './clean-up.ts';
import { Draft } from './draft.ts';
import { mergeDuplicates } from './duplicates.ts';
import { compactFonts } from './fonts.ts';
import { compactProfiles } from './profiles.ts';
import { recompress } from './recompress.ts';
import { mergeResourceNames } from './resource-names.ts';
import { shortenNumbers } from './short-numbers.ts';
import { type ShownText, shownText } from './shown-text.ts';
import { reduceUnicodeMaps } from './unicode-maps.ts';

/** The steps in the order in which they run. */
export type Step =
  | 'unused data'
  | 'Unicode maps'
  | 'fonts'
  | 'color profiles'
  | 'content'
  | 'streams'
  | 'duplicates';

const XMP_LIMIT = 16 * 1024 * 1024;

export interface Compressed {
  bytes: Uint8Array;
  /** The number of bytes that each step saved in streams. */
  saved: Map<Step, number>;
  /**
   * The indexes, from 0, of a set of pages that together show every glyph of the changed fonts used in page content.
   */
  fontPages: number[];
  /** The indexes, from 0, of the pages on which resources were renamed. */
  namePages: number[];
  /** The indexes, from 0, of the pages with shorter numbers. */
  numberPages: number[];
}

/** Returns the document after all steps except the omitted ones. Throws PdfDamage. */
export function compressInSteps(document: PdfDocument, omitted: ReadonlySet<Step>): Compressed {
  const draft = new Draft(document);
  const isArchive1 = isPdfA1(document);
  const saved = new Map<Step, number>();
  let text: ShownText | undefined | null = null;
  // The text is read only once, because the two steps that need it do not change the codes that the content shows.
  const shown = () => {
    if (text === null) text = unlessDamaged(() => shownText(draft));
    return text;
  };
  let fontPages: number[] = [];
  let namePages: number[] = [];
  let numberPages: number[] = [];
  const steps: [Step, () => void][] = [
    ['unused data', () => cleanUp(draft)],
    [
      'Unicode maps',
      () => {
        const text = shown();
        if (text) reduceUnicodeMaps(draft, text.codes);
      },
    ],
    [
      'fonts',
      () => {
        const text = shown();
        if (text) fontPages = compactFonts(draft, text);
      },
    ],
    ['color profiles', () => compactProfiles(draft)],
    [
      'content',
      () => {
        namePages = mergeResourceNames(draft);
        numberPages = shortenNumbers(draft);
      },
    ],
    ['streams', () => recompress(draft, isArchive1)],
    ['duplicates', () => mergeDuplicates(draft)],
  ];
  let size = streamBytes(draft);
  for (const [step, run] of steps) {
    // PDF/A-1 requires the font descriptor to list the glyphs of a subset (section 6.3.5), so fonts stay unchanged.
    if (omitted.has(step) || (isArchive1 && step === 'fonts')) continue;
    run();
    const now = streamBytes(draft);
    saved.set(step, size - now);
    size = now;
  }
  return { bytes: draft.write(!isArchive1), saved, fontPages, namePages, numberPages };
}

/** Returns the total encoded size of all streams in bytes. */
export const streamBytes = (draft: Draft): number =>
  draft
    .objects()
    .reduce((sum, [, value]) => sum + (value instanceof PdfStream ? value.encoded.length : 0), 0);

/**
 * Whether the document declares conformance to PDF/A-1 (ISO 19005-1, section 6.7.11), which forbids newer structures.
 */
function isPdfA1(document: PdfDocument): boolean {
  const metadata = document.resolve(document.catalog.dictionary.get('Metadata'));
  if (!(metadata instanceof PdfStream)) return false;
  const data = decodedData(document, metadata, XMP_LIMIT);
  const text = Buffer.from(data ?? []).toString('latin1');
  return /pdfaid:part\s*(?:=\s*["']|>\s*)1\b/.test(text);
}
