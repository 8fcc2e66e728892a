/**
 * Warns about data that a copy of pages cannot keep: valid digital signatures, forms not stored as pages, and the tags
 * of some of the files.
 */

import { structureRoot } from '../../pdf/append-structure.ts';
import { isSigned } from '../../pdf/inventory.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import type { PdfInput } from './input.ts';

const MAX_NAMED = 5;

/** Returns the warnings, which name the files that they concern. */
export function copyWarnings(inputs: readonly PdfInput[]): string[] {
  const signed = namesOf(inputs, isSigned);
  // The viewer draws the form, and the pages contain only a request to open it in another viewer.
  const dynamic = namesOf(
    inputs,
    (document) => document.resolve(document.catalog.dictionary.get('NeedsRendering')) === true,
  );
  return [
    ...(signed ? [`The result has no valid digital signatures from ${signed}.`] : []),
    ...(dynamic
      ? [`The result contains the placeholder pages of ${dynamic}, but no dynamic XFA forms.`]
      : []),
  ];
}

/** Returns a warning if only some of the files are tagged, because the merged file then has no tags. */
export function tagWarnings(inputs: readonly PdfInput[]): string[] {
  const isTagged = (document: PdfInput['document']) => structureRoot(document) !== undefined;
  const tagged = namesOf(inputs, isTagged);
  const untagged = namesOf(inputs, (document) => !isTagged(document));
  if (!tagged || !untagged) return [];
  return [`The result is not tagged for accessibility, because tags are missing in ${untagged}.`];
}

/** Returns the names of the files whose document passes the test, or undefined if there are none. */
function namesOf(
  inputs: readonly PdfInput[],
  test: (document: PdfInput['document']) => boolean,
): string | undefined {
  const found = inputs.filter(({ document }) => unlessDamaged(() => test(document)));
  if (found.length === 0) return undefined;
  const names = found.slice(0, MAX_NAMED).map(({ file }) => `"${file.name}"`);
  const rest = found.length - names.length;
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
