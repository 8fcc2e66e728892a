/** Warns about data that a copy of pages cannot keep: valid digital signatures, and forms not stored as pages. */
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
