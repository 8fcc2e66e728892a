/** Writes parts of a PDF to files without qpdf, in time proportional to the size of the parts. */
import { writeFileSync } from 'node:fs';
import { failed } from '../../../../src/core/errors.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { pageLabels } from '../../pdf/page-labels.ts';
import { writePart } from '../../pdf/write-part.ts';
import { openedFile } from './input.ts';

const TIME_LIMIT_MS = 60_000;

export interface PagesOfPart {
  /** The path to which the part is written. */
  path: string;
  /** Page numbers from 1 without duplicates. */
  pages: number[];
}

export const tooManyBytes = () =>
  failed('The parts exceed 512 MB. Send fewer or smaller ranges at a time.');

/**
 * Writes the parts, and returns the size of each in bytes. Throws PdfDamage, or ToolError 422 if they exceed the time
 * or size limit.
 */
export function writeParts(
  document: PdfDocument,
  parts: readonly PagesOfPart[],
  mostBytes: number,
  keepsAttachments = false,
): number[] {
  const ends = performance.now() + TIME_LIMIT_MS;
  const file = openedFile(document, keepsAttachments);
  const labelsOf = pageLabels(document);
  let total = 0;
  return parts.map(({ path, pages }) => {
    if (performance.now() > ends) {
      throw failed(
        'The structure of the PDF is too large to copy into this many parts. Send fewer ranges at a time.',
      );
    }
    const indexes = pages.map((page) => page - 1);
    const bytes = writePart(file, labelsOf, indexes);
    total += bytes.length;
    if (total > mostBytes) throw tooManyBytes();
    writeFileSync(path, bytes);
    return bytes.length;
  });
}
