/** Finds a document's embedded fonts, and the codes that its content shows in each of them. */
import { isDictionary, type PdfDictionary, PdfName, PdfReference, PdfStream } from '../objects.ts';
import type { Draft } from './draft.ts';
import type { ShownCodes } from './shown-text.ts';

const FILE_KEYS = ['FontFile', 'FontFile2', 'FontFile3'] as const;
const MAX_PARENTS = 16;

interface FontObject {
  reference: PdfReference;
  entries: PdfDictionary;
}

/** A font that uses a font file. */
export interface FontUse {
  font: FontObject;
  /** The descendant font, which contains the glyphs. Only composite fonts have one. */
  descendant: FontObject | undefined;
  descriptor: FontObject;
  /** The codes that the content shows in this font. */
  codes: ReadonlySet<number>;
}

export interface FontFile {
  reference: PdfReference;
  stream: PdfStream;
  uses: FontUse[];
}

/**
 * Returns the font files that can be reduced to the shown glyphs. Fonts of form fields are excluded, because readers
 * use them to display text that a user enters. Throws PdfDamage.
 */
export function fontFiles(draft: Draft, shown: ShownCodes): FontFile[] {
  const files = new Map<number, FontFile>();
  const known = new Set<PdfDictionary>();
  for (const [reference, entries] of draft.objects()) {
    const use = isDictionary(entries) && useOf(draft, { reference, entries }, shown);
    if (!use) continue;
    const file = fileOf(use.descriptor.entries);
    const stream = draft.resolve(file);
    if (!file || !(stream instanceof PdfStream)) continue;
    known.add(use.font.entries);
    const entry = files.get(file.number) ?? { reference: file, stream, uses: [] };
    entry.uses.push(use);
    files.set(file.number, entry);
  }
  const unreadable = [...shown.keys()].filter((font) => !known.has(font));
  for (const font of [...unreadable, ...fontsOfFields(draft)]) {
    const descriptor = draft.dictionary((descendantOf(draft, font) ?? font).get('FontDescriptor'));
    const file = descriptor && fileOf(descriptor);
    if (file) files.delete(file.number);
  }
  return [...files.values()];
}

const fileOf = (descriptor: PdfDictionary): PdfReference | undefined => {
  const key = FILE_KEYS.find((name) => descriptor.has(name));
  const file = key && descriptor.get(key);
  return file instanceof PdfReference ? file : undefined;
};

const descendantOf = (draft: Draft, font: PdfDictionary) =>
  draft.dictionary(draft.array(font.get('DescendantFonts'))?.[0]);

/** Returns undefined for a font without a descriptor, or whose structure we do not support. */
function useOf(draft: Draft, font: FontObject, shown: ShownCodes): FontUse | undefined {
  const { entries } = font;
  const subtype = draft.resolve(entries.get('Subtype'));
  if (!(subtype instanceof PdfName)) return undefined;
  const codes = shown.get(entries) ?? new Set<number>();
  if (subtype.value === 'Type1' || subtype.value === 'TrueType') {
    const descriptor = objectAt(draft, entries, 'FontDescriptor');
    return descriptor && { font, descendant: undefined, descriptor, codes };
  }
  if (subtype.value !== 'Type0') return undefined;
  const reference = draft.array(entries.get('DescendantFonts'))?.[0];
  const child = draft.dictionary(reference);
  if (!(reference instanceof PdfReference) || !child) return undefined;
  const descriptor = objectAt(draft, child, 'FontDescriptor');
  return descriptor && { font, descendant: { reference, entries: child }, descriptor, codes };
}

function objectAt(draft: Draft, entries: PdfDictionary, key: string): FontObject | undefined {
  const reference = entries.get(key);
  const value = draft.dictionary(reference);
  return reference instanceof PdfReference && value ? { reference, entries: value } : undefined;
}

/** Yields the fonts in the form's resources and in the appearances of text and choice fields. */
export function* fontsOfFields(draft: Draft): Generator<PdfDictionary> {
  const form = draft.dictionary(draft.document.catalog.dictionary.get('AcroForm'));
  if (!form || (draft.array(form.get('Fields')) ?? []).length === 0) return;
  yield* fontsOfResources(draft, draft.dictionary(form.get('DR')));
  for (const [, value] of draft.objects()) {
    if (!isDictionary(value) || !draft.isNamed(value.get('Subtype'), 'Widget')) continue;
    if (!takesText(draft, value)) continue;
    const appearance = draft.resolve(draft.dictionary(value.get('AP'))?.get('N'));
    if (!(appearance instanceof PdfStream)) continue;
    yield* fontsOfResources(draft, draft.dictionary(appearance.dictionary.get('Resources')));
  }
}

function* fontsOfResources(
  draft: Draft,
  resources: PdfDictionary | undefined,
): Generator<PdfDictionary> {
  for (const value of draft.dictionary(resources?.get('Font'))?.values() ?? []) {
    const font = draft.dictionary(value);
    if (font) yield font;
  }
}

/** Whether a widget belongs to a text or choice field, or to one of unknown type. The field type may be inherited. */
function takesText(draft: Draft, widget: PdfDictionary): boolean {
  let field: PdfDictionary | undefined = widget;
  for (let level = 0; field && level < MAX_PARENTS; level += 1) {
    const type = draft.resolve(field.get('FT'));
    if (type instanceof PdfName) return type.value === 'Tx' || type.value === 'Ch';
    field = draft.dictionary(field.get('Parent'));
  }
  return true;
}
