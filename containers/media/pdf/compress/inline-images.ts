/** Converts large inline images of pages to objects, so that they can be recoded (ISO 32000-1, section 8.9.7). */
import { readContent } from '../content.ts';
import { PdfDocument } from '../document.ts';
import { IncrementalUpdate } from '../incremental-update.ts';
import {
  dictionary,
  name,
  type PdfDictionary,
  PdfName,
  PdfStream,
  type PdfValue,
  unlessDamaged,
} from '../objects.ts';
import { pageContent } from '../page-content.ts';
import { readPages } from '../pages.ts';
import { filtersOf, flateStream, setFilters } from '../stream-data.ts';

/** The minimum size of an image in bytes. Converting smaller images would save little. */
const MIN_BYTES = 4096;

const KEYS: Readonly<Record<string, string>> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  I: 'Interpolate',
  IM: 'ImageMask',
  W: 'Width',
};
const SPACES: Readonly<Record<string, string>> = {
  CMYK: 'DeviceCMYK',
  G: 'DeviceGray',
  I: 'Indexed',
  RGB: 'DeviceRGB',
};

export interface Lifted {
  document: PdfDocument;
  /** The numbers, from 1, of the pages whose content has changed. */
  pages: number[];
}

/** Converts the images. Returns undefined if no page has a large inline image that can be read. Throws PdfDamage. */
export function liftInlineImages(document: PdfDocument): Lifted | undefined {
  const update = new IncrementalUpdate(document);
  const pages: number[] = [];
  for (const [index, page] of readPages(document).list.entries()) {
    const own = page.dictionary.get('Resources') ?? page.inherited.get('Resources');
    const resources: PdfDictionary = new Map(document.dictionary(own));
    const content = unlessDamaged(() => {
      const before = pageContent(document, page);
      return before.includes('EI')
        ? withoutInlineImages(document, update, resources, before)
        : undefined;
    });
    if (!content) continue;
    const changed = { Contents: update.add(flateStream(content)), Resources: resources };
    update.set(page.reference, new Map([...page.dictionary, ...dictionary(changed)]));
    pages.push(index + 1);
  }
  if (pages.length === 0) return undefined;
  return { document: new PdfDocument(Buffer.concat([document.bytes, update.build()])), pages };
}

/**
 * Returns the content with its large inline images replaced by objects, and adds the objects to the resources. Returns
 * undefined if there are no such images.
 */
function withoutInlineImages(
  document: PdfDocument,
  update: IncrementalUpdate,
  resources: PdfDictionary,
  content: Buffer,
): Buffer | undefined {
  const objects: PdfDictionary = new Map(document.dictionary(resources.get('XObject')));
  const spaces = document.dictionary(resources.get('ColorSpace'));
  const images: [key: string, image: PdfStream][] = [];
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const [operator, [inline], start, end] of readContent(content)) {
    if (operator !== 'BI' || !(inline instanceof PdfStream)) continue;
    const image =
      inline.encoded.length < MIN_BYTES ? undefined : asObject(document, inline, spaces);
    if (!image) continue;
    let number = objects.size + images.length;
    while (objects.has(`Inline${number}`)) number += 1;
    images.push([`Inline${number}`, image]);
    pieces.push(content.subarray(copied, start), Buffer.from(`/Inline${number} Do`));
    copied = end;
  }
  if (images.length === 0) return undefined;
  for (const [key, image] of images) objects.set(key, update.add(image));
  resources.set('XObject', objects);
  return Buffer.concat([...pieces, content.subarray(copied)]);
}

/** Returns the image with all abbreviated names expanded, or undefined if its filters or color space are unknown. */
function asObject(
  document: PdfDocument,
  { dictionary: inline, encoded }: PdfStream,
  spaces: PdfDictionary | undefined,
): PdfStream | undefined {
  const entries = dictionary({ Type: name('XObject'), Subtype: name('Image') });
  for (const [key, value] of inline) {
    if (key !== 'L' && key !== 'Length') entries.set(KEYS[key] ?? key, value);
  }
  const steps = filtersOf(document, entries);
  const given = entries.get('ColorSpace');
  const space = given === undefined ? undefined : fullSpace(given, spaces);
  if (!steps || (given !== undefined && space === undefined)) return undefined;
  setFilters(entries, steps);
  if (space !== undefined) entries.set('ColorSpace', space);
  return new PdfStream(entries, encoded);
}

function fullSpace(space: PdfValue, spaces: PdfDictionary | undefined): PdfValue | undefined {
  if (Array.isArray(space)) {
    const parts = space.map((part) => (part instanceof PdfName ? fullSpace(part, spaces) : part));
    return parts.includes(undefined) ? undefined : (parts as PdfValue[]);
  }
  if (!(space instanceof PdfName)) return undefined;
  const full = SPACES[space.value] ?? space.value;
  return /^(?:Device|Indexed$)/.test(full) ? name(full) : spaces?.get(full);
}
