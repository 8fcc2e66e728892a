/** Finds the codes that each font shows in the whole content of a document, whether visible or not. */
import { readContent } from '../content.ts';
import {
  isDictionary,
  isNamed,
  PdfDamage,
  type PdfDictionary,
  PdfName,
  PdfStream,
  PdfString,
  type PdfValue,
} from '../objects.ts';
import { readPages } from '../pages.ts';
import { decodedStream } from '../stream-data.ts';
import type { Draft } from './draft.ts';

const MAX_STREAM_BYTES = 64 * 1024 * 1024;
/** The maximum size of the decoded content of a whole file, in bytes. */
const CONTENT_BUDGET = 256 * 1024 * 1024;

/** The codes that the content shows, by font dictionary. A code has one byte, or two bytes for composite fonts. */
export type ShownCodes = Map<PdfDictionary, Set<number>>;

export interface ShownText {
  codes: ShownCodes;
  /** The indexes, from 0, of the pages that show a code that no earlier page shows. */
  pages: number[];
}

/**
 * Returns the codes that each font shows, and the pages that show a code that no earlier page shows. Throws PdfDamage
 * if the codes cannot be determined reliably.
 */
export function shownText(draft: Draft): ShownText {
  const reader = new Reader(draft);
  const objects = draft.objects();
  const { list } = readPages(draft.document);
  reader.readNames([...objects.map(([, value]) => value), ...list.map((page) => page.inherited)]);
  const pages = new Set(list.map(({ reference }) => reference.number));
  const firsts: number[] = [];
  for (const [index, { reference, inherited }] of list.entries()) {
    const page = draft.dictionary(reference);
    if (!page) continue;
    const before = reader.count;
    reader.readPage(page, page.get('Resources') ?? inherited.get('Resources'));
    if (reader.count > before) firsts.push(index);
  }
  for (const [reference, value] of objects) {
    if (pages.has(reference.number)) continue;
    reader.readOther(value);
  }
  return { codes: reader.shown, pages: firsts };
}

class Reader {
  readonly shown: ShownCodes = new Map();
  /** The number of codes found across all fonts. */
  count = 0;
  private readonly draft: Draft;
  private budget = CONTENT_BUDGET;
  /** All fonts, by their names in resources. */
  private named: ReadonlyMap<string, readonly PdfDictionary[]> = new Map();

  constructor(draft: Draft) {
    this.draft = draft;
  }

  /** Collects the fonts of all resources by name. */
  readNames(values: readonly PdfValue[]): void {
    const named = new Map<string, Set<PdfDictionary>>();
    for (const value of values) {
      const entries = value instanceof PdfStream ? value.dictionary : value;
      if (!isDictionary(entries)) continue;
      const fonts = this.draft.dictionary(entries.get('Font'));
      const resources = this.draft.dictionary(entries.get('Resources'));
      const inner = this.draft.dictionary(resources?.get('Font'));
      for (const [name, given] of [...(fonts ?? []), ...(inner ?? [])]) {
        const font = this.draft.dictionary(given);
        const known = named.get(name);
        if (font && known) known.add(font);
        else if (font) named.set(name, new Set([font]));
      }
    }
    this.named = new Map([...named].map(([name, known]) => [name, [...known]]));
  }

  readPage(page: PdfDictionary, resources: PdfValue | undefined): void {
    const pieces = this.draft.list(page.get('Contents'));
    const data = pieces.map((piece) => this.decode(this.draft.resolve(piece)));
    this.read(Buffer.concat(data.flatMap((piece) => [piece, Buffer.from('\n')])), resources);
  }

  /** Reads forms, patterns, Type 3 glyphs, appearances of annotations, and pages outside the page tree. */
  readOther(value: PdfValue): void {
    const { draft } = this;
    if (value instanceof PdfStream) {
      const { dictionary } = value;
      const isForm = draft.isNamed(dictionary.get('Subtype'), 'Form');
      const isPattern = draft.resolve(dictionary.get('PatternType')) === 1;
      if (isForm || isPattern) this.read(this.decode(value), dictionary.get('Resources'));
      return;
    }
    if (!isDictionary(value)) return;
    if (value.has('AP')) this.readAppearances(value.get('AP'));
    if (draft.isNamed(value.get('Subtype'), 'Type3')) {
      const glyphs = draft.dictionary(value.get('CharProcs'))?.values() ?? [];
      for (const glyph of glyphs)
        this.read(this.decode(draft.resolve(glyph)), value.get('Resources'));
    }
    const type = draft.resolve(value.get('Type'));
    if (isNamed(type, 'Page') || isNamed(type, 'Template')) {
      this.readPage(value, value.get('Resources'));
    }
  }

  /** Reads appearances without a Subtype. Those with a Subtype are read as forms. */
  private readAppearances(value: PdfValue | undefined): void {
    const { draft } = this;
    for (const state of draft.dictionary(value)?.values() ?? []) {
      const appearance = draft.resolve(state);
      const streams = isDictionary(appearance) ? [...appearance.values()] : [appearance];
      for (const item of streams) {
        const stream = draft.resolve(item);
        if (!(stream instanceof PdfStream) || stream.dictionary.has('Subtype')) continue;
        this.read(this.decode(stream), stream.dictionary.get('Resources'));
      }
    }
  }

  private decode(value: PdfValue): Uint8Array {
    if (value === null) return new Uint8Array();
    if (!(value instanceof PdfStream)) throw new PdfDamage('content is not a stream');
    const data = decodedStream(this.draft, value, MAX_STREAM_BYTES);
    this.spend(data.length);
    return data;
  }

  private spend(bytes: number): void {
    this.budget -= Math.max(0, bytes);
    if (this.budget < 0) throw new PdfDamage('the content is too long');
  }

  private read(data: Uint8Array, resources: PdfValue | undefined): void {
    const { draft } = this;
    const available = draft.dictionary(resources);
    const fonts = draft.dictionary(available?.get('Font'));
    let shownBy: readonly PdfDictionary[] | undefined;
    const saved: (readonly PdfDictionary[] | undefined)[] = [];
    for (const [operator, operands] of readContent(data)) {
      switch (operator) {
        case 'q':
          saved.push(shownBy);
          break;
        case 'Q':
          if (saved.length > 0) shownBy = saved.pop();
          break;
        case 'Tf':
          shownBy = this.fontsOf(fonts, operands[0]);
          break;
        case 'gs':
          shownBy = this.fontOfState(available, operands[0]) ?? shownBy;
          break;
        case 'Tj':
        case "'":
        case 'TJ':
          this.show(shownBy, operands[0]);
          break;
        case '"':
          this.show(shownBy, operands[2]);
          break;
      }
    }
  }

  /**
   * Returns the fonts that a reader may choose for a name. If the resources lack the name, readers may use the
   * resources of the page or of another form.
   */
  private fontsOf(
    fonts: PdfDictionary | undefined,
    given: PdfValue | undefined,
  ): readonly PdfDictionary[] {
    if (!(given instanceof PdfName)) return [];
    const font = this.draft.dictionary(fonts?.get(given.value));
    return font ? [font] : (this.named.get(given.value) ?? []);
  }

  /** Returns the font that a graphics state sets (section 8.4.5), if any. */
  private fontOfState(
    resources: PdfDictionary | undefined,
    given: PdfValue | undefined,
  ): PdfDictionary[] | undefined {
    if (!(given instanceof PdfName)) return undefined;
    const states = this.draft.dictionary(resources?.get('ExtGState'));
    const state = this.draft.dictionary(states?.get(given.value));
    const font = this.draft.dictionary(this.draft.array(state?.get('Font'))?.[0]);
    return font && [font];
  }

  private show(fonts: readonly PdfDictionary[] | undefined, value: PdfValue | undefined): void {
    const strings = Array.isArray(value) ? value : [value];
    for (const item of strings) {
      if (!(item instanceof PdfString) || item.bytes.length === 0) continue;
      // A form that sets no font may use the font of the content that shows it, which is unknown here.
      if (!fonts) throw new PdfDamage('text is shown without a font');
      // The fonts of all pages may have one name.
      this.spend((fonts.length - 1) * item.bytes.length);
      for (const font of fonts) this.add(font, item.bytes);
    }
  }

  private add(font: PdfDictionary, bytes: Uint8Array): void {
    const codes = this.shown.get(font) ?? new Set();
    this.shown.set(font, codes);
    const before = codes.size;
    const isComposite = this.draft.isNamed(font.get('Subtype'), 'Type0');
    // An embedded CMap may mix codes of one and two bytes, so all possible codes are added.
    const isMixed = isComposite && this.draft.resolve(font.get('Encoding')) instanceof PdfStream;
    if (!isComposite || isMixed) for (const code of bytes) codes.add(code);
    if (isComposite) {
      for (let at = 0; at < bytes.length; at += isMixed ? 1 : 2) {
        codes.add((bytes[at] as number) * 256 + (bytes[at + 1] ?? 0));
      }
    }
    this.count += codes.size - before;
  }
}
