/**
 * Joins the default resources of merged forms (ISO 32000-1, section 12.7.2). The resources are hidden from qpdf,
 * because it would rename fonts in the resources of a field but not in the field's content.
 */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import {
  isDictionary,
  isNamed,
  name,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfValue,
} from './objects.ts';
import { serialize } from './serialize.ts';

const MAX_DEPTH = 64;
const NAME_TOKENS = /\/[^\s/()<>[\]{}%]*/g;

/** The form of a source file, as it was before the merge. */
export interface AppendedForm {
  /** The default resources of the form. */
  resources: PdfDictionary;
  /** The form's default appearance, which applies to fields without one. */
  appearance: PdfValue | undefined;
  /** The pages of the file, by their references in the merged file. */
  pages: readonly PdfReference[];
}

/**
 * Adds the default resources of the forms to the merged form. Fonts whose names are already in use get new names, also
 * in the fields that use them.
 */
export function appendFormResources(
  merged: PdfDocument,
  update: IncrementalUpdate,
  forms: readonly AppendedForm[],
): void {
  const form = merged.dictionary(update.catalog.dictionary.get('AcroForm'));
  if (!form || forms.length === 0) return;
  const joined = new Map(merged.dictionary(form.get('DR')) ?? []);
  for (const appended of forms) {
    const renamed = addResources(merged, joined, appended.resources);
    if (renamed.size > 0) new FontRenaming(merged, update, appended, renamed).apply();
  }
  setResources(update, form, joined);
}

/**
 * Sets the default resources of the form. If they are an indirect object, replaces it in place, because qpdf lets
 * fields refer to the same object.
 */
function setResources(update: IncrementalUpdate, form: PdfDictionary, joined: PdfDictionary): void {
  const old = form.get('DR');
  if (old instanceof PdfReference) {
    update.set(old, joined);
    return;
  }
  const { reference, dictionary: catalog } = update.catalog;
  update.set(reference, catalog.set('AcroForm', new Map(form).set('DR', joined)));
}

/** Adds the resources to `joined`. Returns the new names of the renamed fonts by their old ones. */
function addResources(
  merged: PdfDocument,
  joined: PdfDictionary,
  resources: PdfDictionary,
): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [category, value] of resources) {
    const added = merged.dictionary(value);
    if (!added) {
      if (!joined.has(category)) joined.set(category, value);
      continue;
    }
    const all = new Map(merged.dictionary(joined.get(category)) ?? []);
    for (const [key, item] of added) {
      if (!all.has(key)) all.set(key, item);
      else if (category === 'Font') {
        const unused = unusedName(key, all, added);
        all.set(unused, item);
        renamed.set(key, unused);
      }
    }
    joined.set(category, all);
  }
  return renamed;
}

function unusedName(key: string, all: PdfDictionary, added: PdfDictionary): string {
  let number = 1;
  while (all.has(`${key}_${number}`) || added.has(`${key}_${number}`)) number += 1;
  return `${key}_${number}`;
}

const decodedName = (written: string): string =>
  written
    .slice(1)
    .replace(/#([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** Changes the names of fonts in the default appearances of a file's fields (section 12.7.3.3). */
class FontRenaming {
  /** The numbers of the fields whose default appearance was searched for names to change. */
  private readonly renamedFields = new Set<number>();
  private readonly visitedAnnotations = new Set<number>();
  private readonly visitedDictionaries = new Set<PdfDictionary>();
  private sharedResources: PdfReference | undefined;
  private readonly merged: PdfDocument;
  private readonly update: IncrementalUpdate;
  private readonly form: AppendedForm;
  private readonly renamed: ReadonlyMap<string, string>;

  constructor(
    merged: PdfDocument,
    update: IncrementalUpdate,
    form: AppendedForm,
    renamed: ReadonlyMap<string, string>,
  ) {
    this.merged = merged;
    this.update = update;
    this.form = form;
    this.renamed = renamed;
  }

  apply(): void {
    for (const reference of this.form.pages) {
      const page = this.update.current(reference);
      const annotations = isDictionary(page) ? this.merged.array(page.get('Annots')) : undefined;
      for (const item of annotations ?? []) {
        if (!(item instanceof PdfReference) || this.visitedAnnotations.has(item.number)) continue;
        this.visitedAnnotations.add(item.number);
        this.visit(item);
      }
    }
  }

  /** Renames the fonts of a widget and of the fields above it, and completes its appearance streams. */
  private visit(annotation: PdfReference): void {
    let inherits = true;
    let next: PdfValue | undefined = annotation;
    for (let depth = 0; next instanceof PdfReference && depth < MAX_DEPTH; depth += 1) {
      const field: PdfValue = this.update.current(next);
      if (!isDictionary(field)) break;
      if (field.has('DA')) {
        inherits = false;
        this.renameFonts(next, field, field.get('DA'));
      }
      next = field.get('Parent');
    }
    const widget = this.update.current(annotation);
    if (!isDictionary(widget) || !isNamed(widget.get('Subtype'), 'Widget')) return;
    if (inherits) this.renameFonts(annotation, widget, this.form.appearance);
    for (const appearance of this.unvisited(widget.get('AP'))) {
      // An appearance is either a stream or a dictionary of streams by state, such as `Off`.
      const isStream = this.merged.dictionary(appearance) === undefined;
      for (const stream of isStream ? [appearance] : this.unvisited(appearance)) {
        this.addMissingResources(stream);
      }
    }
  }

  /**
   * Returns the values of a dictionary, or an empty list if it was visited before. Annotations can share dictionaries.
   */
  private unvisited(value: PdfValue | undefined): PdfValue[] {
    const entries = this.merged.dictionary(value);
    if (!entries || this.visitedDictionaries.has(entries)) return [];
    this.visitedDictionaries.add(entries);
    return [...entries.values()];
  }

  /** Sets the default appearance of the field at `at` to `value`, with the new names of the fonts. */
  private renameFonts(at: PdfReference, field: PdfDictionary, value: PdfValue | undefined): void {
    const appearance = this.merged.resolve(value);
    if (this.renamedFields.has(at.number) || !(appearance instanceof PdfString)) return;
    this.renamedFields.add(at.number);
    const old = Buffer.from(appearance.bytes).toString('latin1');
    const changed = old.replace(NAME_TOKENS, (written) => {
      const font = this.renamed.get(decodedName(written));
      return font === undefined ? written : serialize(name(font));
    });
    if (changed === old) return;
    this.update.set(at, new Map(field).set('DA', new PdfString(Buffer.from(changed, 'latin1'))));
  }

  /**
   * Adds the resources of the original form to an appearance stream that has none. Otherwise, it would use those of the
   * merged form, in which its names refer to other fonts.
   */
  private addMissingResources(reference: PdfValue): void {
    if (!(reference instanceof PdfReference)) return;
    const stream = this.update.current(reference);
    if (!(stream instanceof PdfStream)) return;
    if (this.merged.resolve(stream.dictionary.get('Resources')) !== null) return;
    this.sharedResources ??= this.update.add(this.form.resources);
    const entries = new Map(stream.dictionary).set('Resources', this.sharedResources);
    this.update.set(reference, new PdfStream(entries, stream.encoded));
  }
}
