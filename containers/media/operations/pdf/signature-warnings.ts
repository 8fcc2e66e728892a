/** Warns about digital signatures that the result of an operation does not keep valid. */
import { isSigned } from '../../pdf/inventory.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import type { PdfInput } from './input.ts';

const MAX_NAMED = 5;

/** Returns a warning that names the signed files, or an empty list if no file is signed. */
export function signatureWarnings(inputs: readonly PdfInput[]): string[] {
  const signed = inputs.filter(({ document }) => unlessDamaged(() => isSigned(document)));
  if (signed.length === 0) return [];
  const names = signed.slice(0, MAX_NAMED).map(({ file }) => `"${file.name}"`);
  const rest = signed.length - names.length;
  return [
    `Digitally signed: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. The result is a changed copy, for which the signature is not valid.`,
  ];
}
