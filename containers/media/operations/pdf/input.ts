/** Opens an input file for work on its structure, repairing or decrypting it first where that is needed. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { badRequest, failed } from '../../../../src/core/errors.ts';
import { isPdf } from '../../../../src/lib/magic-bytes.ts';
import { Destinations } from '../../pdf/destinations.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { hasLostObjects } from '../../pdf/lost-objects.ts';
import { PdfDamage } from '../../pdf/objects.ts';
import type { OpenedFile } from '../../pdf/opened-file.ts';
import { readOutlines } from '../../pdf/outlines.ts';
import { countPages, miscounts, type Pages, PdfWithoutPages, readPages } from '../../pdf/pages.ts';
import { rebuiltTail } from '../../pdf/rebuild.ts';
import { ProgramFailure, ProgramTimeout } from '../../run-program.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { deflate, inflate, qpdf } from './qpdf.ts';

export interface PdfInput {
  file: OperationFile;
  /** The file that qpdf is to read: the upload, or what was made of it. */
  path: string;
  document: PdfDocument;
  /** True once qpdf has rewritten it: there is no second attempt then. */
  normalised: boolean;
}

/** CPU seconds for each page, in addition to those for the size of the file. */
const SECONDS_PER_PAGE = 0.05;

/** Adds the pages to the limit of all programs that run after this. */
export const allowForPages = (pages: number, { limit }: OperationContext): void =>
  limit.allow(pages * SECONDS_PER_PAGE);

export interface PdfStructure {
  pages: Pages;
  destinations: Destinations;
}

/** Opens an input. Throws ToolError 400, naming the file, where it is no PDF, locked, or beyond repair. */
export async function openInput(file: OperationFile, context: OperationContext): Promise<PdfInput> {
  const bytes = await readFile(file.path);
  if (!isPdf(bytes)) {
    throw badRequest(
      `"${file.name}" is not a PDF: it does not begin with %PDF-. Send PDF files only.`,
      'file',
    );
  }
  try {
    const document = new PdfDocument(bytes, inflate);
    if (!document.trailer.has('Encrypt') && document.catalog) {
      return { file, path: file.path, document, normalised: false };
    }
  } catch (error) {
    if (!(error instanceof PdfDamage)) throw error;
  }
  return normalise(file, context);
}

/** The pages of an input. Throws PdfDamage: then `normalise` it. */
export function readStructure(document: PdfDocument): PdfStructure {
  const pages = readPages(document);
  return { pages, destinations: new Destinations(document, pages) };
}

/** All that is needed to take parts out of a document. Throws PdfDamage. */
export function openedFile(document: PdfDocument): OpenedFile {
  const structure = readStructure(document);
  return { document, ...structure, outlines: readOutlines(document, structure.destinations) };
}

const ALL_PAGES = ['--pages', '.', '1-z', '--'];

const repairName = (file: OperationFile, suffix: string) => `${file.path}.${suffix}.pdf`;

/** Rewrites an input, decrypted and repaired. Throws ToolError 400 where that fails, 422 where it takes too long. */
export async function normalise(file: OperationFile, context: OperationContext): Promise<PdfInput> {
  const path = repairName(file, 'normal');
  let damaged = true;
  try {
    const { exitCode } = await decryptAndRepair(file.path, path, context);
    damaged = exitCode !== 0;
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (/invalid password/.test(error.stderr)) {
      throw badRequest(
        `"${file.name}" needs a password. Remove its protection and send it again.`,
        'file',
      );
    }
    if (
      /unsupported encryption|unknown encryption|encryption handler|\/Filter not/i.test(
        error.stderr,
      )
    ) {
      throw badRequest(
        `"${file.name}" is encrypted in a way that cannot be read. Send it unprotected.`,
        'file',
      );
    }
    await secondAttempt(file, path, context);
  }
  const rebuilt = damaged && (await withTrailer(file));
  // Nothing is left out in silence.
  if (rebuilt && hasLostObjects(rebuilt)) throw beyondRepair(file);
  try {
    return { file, path, document: await readWhole(path), normalised: true };
  } catch (error) {
    if (error instanceof PdfWithoutPages) throw badRequest(`"${file.name}" has no pages.`, 'file');
    if (!(error instanceof PdfDamage)) throw error;
  }
  return withMendedPages(file, path, context);
}

/** qpdf takes a second for a whole file, but the square of the times that one page stands in the tree. */
const MENDING_SECONDS = 10;

/** qpdf mends a page tree only where it is asked for the pages: one that stands there twice becomes two. */
async function withMendedPages(
  file: OperationFile,
  from: string,
  context: OperationContext,
): Promise<PdfInput> {
  const path = repairName(file, 'pages');
  try {
    const mend = ['--stream-data=preserve', from, ...ALL_PAGES, path];
    await qpdf(mend, context, undefined, MENDING_SECONDS);
    return { file, path, document: await readWhole(path), normalised: true };
  } catch (error) {
    const isDamaged = error instanceof ProgramFailure || error instanceof PdfDamage;
    if (error instanceof ProgramTimeout) throw slowToRepair(file);
    throw isDamaged ? beyondRepair(file) : error;
  }
}

/** The path of the same document, in which a page leads only to fonts and images that it shows. Throws ProgramFailure. */
export async function withOwnResources(
  input: PdfInput,
  context: OperationContext,
): Promise<string> {
  const path = repairName(input.file, 'own');
  const options = ['--stream-data=preserve', '--remove-unreferenced-resources=yes'];
  await qpdf([...options, input.path, ...ALL_PAGES, path], context);
  return path;
}

const decryptAndRepair = (from: string, to: string, context: OperationContext) =>
  qpdf(['--decrypt', '--stream-data=preserve', from, to], context);

export const beyondRepair = (file: OperationFile) =>
  badRequest(
    `"${file.name}" is damaged beyond repair. Open it in a PDF program, save it anew and send that.`,
    'file',
  );

const slowToRepair = (file: OperationFile) =>
  failed(
    `"${file.name}" takes too long to repair. Open it in a PDF program, save it anew and send that.`,
  ).naming('file');

/** A file that was cut off its trailer, with a new one; undefined where its catalog is gone too. */
async function withTrailer(file: OperationFile): Promise<Uint8Array | undefined> {
  const bytes = await readFile(file.path);
  const tail = rebuiltTail(bytes, inflate);
  return tail && Buffer.concat([bytes, ...tail]);
}

/**
 * What is tried when qpdf gives up: a new trailer. Ghostscript and poppler would draw the pages anew, and then they
 * would not be the caller's pages any more.
 */
async function secondAttempt(
  file: OperationFile,
  path: string,
  context: OperationContext,
): Promise<void> {
  const rebuilt = repairName(file, 'rebuilt');
  const bytes = await withTrailer(file);
  if (!bytes) throw beyondRepair(file);
  await writeFile(rebuilt, bytes);
  try {
    await decryptAndRepair(rebuilt, path, context);
  } catch (error) {
    throw error instanceof ProgramFailure ? beyondRepair(file) : error;
  }
}

/** Sets a wrong number of pages right: qpdf keeps it, and then takes no pages out of the file. Throws PdfDamage. */
async function readWhole(path: string): Promise<PdfDocument> {
  const document = new PdfDocument(await readFile(path), inflate);
  if (!miscounts(document)) return document;
  const update = new IncrementalUpdate(document, deflate);
  countPages(document, update);
  await appendFile(path, update.build());
  return new PdfDocument(await readFile(path), inflate);
}
