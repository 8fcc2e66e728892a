/**
 * A program of its own, so that the server goes on and it can be killed: writes parts of a PDF as files.
 * Reads a PartsTask as JSON from its standard input, and prints a PartsReply.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { PdfDocument } from '../../../../src/pdf/document.ts';
import { PdfDamage } from '../../../../src/pdf/objects.ts';
import { pageLabels } from '../../../../src/pdf/page-labels.ts';
import { sharesResources } from '../../../../src/pdf/shared-resources.ts';
import { writePart } from '../../../../src/pdf/write-part.ts';
import { openedFile } from './input.ts';
import type { PartsReply, PartsTask } from './part-writer.ts';
import { deflate, inflate } from './qpdf.ts';

function write({ input, mayShare, parts, mostBytes }: PartsTask): PartsReply {
  const document = new PdfDocument(readFileSync(input), inflate);
  const file = openedFile(document);
  if (!mayShare && sharesResources(document, file.pages)) return { problem: 'shared' };
  const labelsOf = pageLabels(document);
  const sizes: number[] = [];
  let total = 0;
  for (const { path, pages } of parts) {
    const indexes = pages.map((page) => page - 1);
    const bytes = writePart(file, labelsOf, indexes, deflate);
    total += bytes.length;
    if (total > mostBytes) return { problem: 'too large' };
    writeFileSync(path, bytes);
    sizes.push(bytes.length);
  }
  return { sizes };
}

function reply(task: PartsTask): PartsReply {
  try {
    return write(task);
  } catch (error) {
    if (error instanceof PdfDamage) return { problem: 'damaged' };
    throw error;
  }
}

process.stdout.write(JSON.stringify(reply(JSON.parse(readFileSync(0, 'utf8')))));
