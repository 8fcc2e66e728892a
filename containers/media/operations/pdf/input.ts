/** Opens an input file for operations on its structure, after repairing or decrypting it if necessary. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { badRequest, failed, ToolError } from '../../../../src/core/errors.ts';
import { isPdf } from '../../../../src/lib/magic-bytes.ts';
import { Destinations } from '../../pdf/destinations.ts';
import { PdfDocument } from '../../pdf/document.ts';
import { IncrementalUpdate } from '../../pdf/incremental-update.ts';
import { hasLostObjects } from '../../pdf/lost-objects.ts';
import { PdfDamage, unlessDamaged } from '../../pdf/objects.ts';
import type { OpenedFile } from '../../pdf/opened-file.ts';
import { readOutlines } from '../../pdf/outlines.ts';
import { countPages, miscounts, type Pages, PdfWithoutPages, readPages } from '../../pdf/pages.ts';
import { rebuiltTail } from '../../pdf/rebuild.ts';
import { ProgramFailure, ProgramTimeout } from '../../program-failure.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { qpdf } from './qpdf.ts';

export interface PdfInput {
  file: OperationFile;
  /** The path of the file that qpdf reads. It is the upload or a rewritten copy. */
  path: string;
  document: PdfDocument;
  /** Whether qpdf has rewritten the file. */
  normalized: boolean;
}

/** CPU seconds per page, in addition to those for the file size. */
const SECONDS_PER_PAGE = 0.05;

/** Adds CPU time for these pages to the limit of all programs that are run afterwards. */
export const allowForPages = (pages: number, { limit }: OperationContext): void =>
  limit.allow(pages * SECONDS_PER_PAGE);

export interface PdfStructure {
  pages: Pages;
  destinations: Destinations;
}

/**
 * Opens an input. Throws ToolError 400 naming the file if the file is not a PDF, cannot be decrypted, has no pages, or
 * is beyond repair, and 422 if the repair takes too long.
 */
export async function openInput(file: OperationFile, context: OperationContext): Promise<PdfInput> {
  const bytes = await readFile(file.path);
  if (!isPdf(bytes)) {
    throw badRequest(
      `"${file.name}" is not a PDF: it does not begin with %PDF-. Send only PDF files.`,
      'file',
    );
  }
  const document = unlessDamaged(() => {
    const opened = new PdfDocument(bytes);
    return !opened.trailer.has('Encrypt') && opened.catalog ? opened : undefined;
  });
  if (!document) return normalize(file, context);
  return { file, path: file.path, document, normalized: false };
}

/** Returns the pages and destinations of an input. Throws PdfDamage. `normalize` may then repair the file. */
export function readStructure(document: PdfDocument): PdfStructure {
  const pages = readPages(document);
  return { pages, destinations: new Destinations(document, pages) };
}

/** Returns the data needed to extract parts of a document. Throws PdfDamage. */
export function openedFile(document: PdfDocument, keepsAttachments: boolean): OpenedFile {
  const structure = readStructure(document);
  const outlines = readOutlines(document, structure.destinations);
  return { document, ...structure, outlines, keepsAttachments };
}

const UNSUPPORTED_ENCRYPTION =
  /unsupported encryption|unknown encryption|encryption handler|\/Filter not/i;
const ALL_PAGES = ['--pages', '.', '1-z', '--'];

const repairName = (file: OperationFile, suffix: string) => `${file.path}.${suffix}.pdf`;

/**
 * Decrypts, repairs and rewrites an input. Throws ToolError 400 if that fails, and 422 if it takes too long or too much
 * memory.
 */
export async function normalize(file: OperationFile, context: OperationContext): Promise<PdfInput> {
  const path = repairName(file, 'normal');
  let damaged = true;
  try {
    const { exitCode } = await decryptAndRepair(file.path, path, context);
    damaged = exitCode !== 0;
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (/invalid password/.test(error.stderr)) {
      throw badRequest(
        `"${file.name}" is protected by a password. Remove the protection and send it again.`,
        'file',
      );
    }
    if (UNSUPPORTED_ENCRYPTION.test(error.stderr)) {
      throw badRequest(
        `"${file.name}" is encrypted in an unsupported way. Remove the encryption and send it again.`,
        'file',
      );
    }
    await secondAttempt(error, file, path, context);
  }
  const rebuilt = damaged && (await withTrailer(file));
  // A repair must not drop objects silently.
  if (rebuilt && hasLostObjects(rebuilt)) throw beyondRepair(file);
  try {
    return { file, path, document: await readWhole(path), normalized: true };
  } catch (error) {
    if (error instanceof PdfWithoutPages) throw badRequest(`"${file.name}" has no pages.`, 'file');
    if (!(error instanceof PdfDamage)) throw error;
  }
  return withMendedPages(file, path, context);
}

/**
 * The time limit for repairing the page tree. qpdf needs about a second for most files, but its running time is
 * quadratic in the number of times that the page tree repeats a page.
 */
const MENDING_SECONDS = 10;

/**
 * Repairs the page tree. qpdf does this only when pages are selected, so all pages are selected. A page that is listed
 * twice becomes two pages.
 */
async function withMendedPages(
  file: OperationFile,
  from: string,
  context: OperationContext,
): Promise<PdfInput> {
  const path = repairName(file, 'pages');
  try {
    const mend = ['--stream-data=preserve', from, ...ALL_PAGES, path];
    await qpdf(mend, context, undefined, MENDING_SECONDS);
    return { file, path, document: await readWhole(path), normalized: true };
  } catch (error) {
    if (error instanceof ProgramTimeout) throw slowToRepair(file);
    if (error instanceof PdfDamage) throw new ReadByQpdfOnly(file, from);
    throw repairFailure(error, file);
  }
}

/**
 * Returns the path of a copy in which each page refers only to the fonts and images that it uses. Throws the errors of
 * `qpdf`.
 */
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

const beyondRepairMessage = ({ name }: OperationFile) =>
  `"${name}" is damaged beyond repair. Open it in a PDF program, save it again and send the new file.`;

export const beyondRepair = (file: OperationFile) => badRequest(beyondRepairMessage(file), 'file');

/**
 * Thrown for a file that qpdf can read but our reader cannot. Operations that use qpdf alone may
 * still succeed.
 */
export class ReadByQpdfOnly extends ToolError {
  /** The path of a copy that qpdf has decrypted and repaired. */
  readonly path: string;

  constructor(file: OperationFile, path: string) {
    super('bad_request', beyondRepairMessage(file), { param: 'file' });
    this.path = path;
  }
}

/**
 * Returns the result of `opened`. If only qpdf can read the file, returns the result of `plainly` for the repaired
 * copy. If that result is undefined, throws the error of `opened`.
 */
export async function orByQpdf<Result>(
  opened: Promise<Result>,
  plainly: (path: string) => Promise<Result | undefined>,
): Promise<Result> {
  try {
    return await opened;
  } catch (error) {
    const made = error instanceof ReadByQpdfOnly && (await plainly(error.path));
    if (!made) throw error;
    return made;
  }
}

const slowToRepair = (file: OperationFile) =>
  failed(
    `"${file.name}" takes too long to repair. Open it in a PDF program, save it again and send the new file.`,
  ).naming('file');

/**
 * Returns the bytes of a file that was truncated before its trailer, with a new trailer. Returns undefined if
 * `rebuiltTail` cannot make one.
 */
async function withTrailer(file: OperationFile): Promise<Uint8Array | undefined> {
  const bytes = await readFile(file.path);
  const tail = rebuiltTail(bytes);
  return tail && Buffer.concat([bytes, ...tail]);
}

/**
 * Repairs a file after adding a new trailer, because of the first attempt's `failure`. Ghostscript and poppler are not
 * used, because they would redraw the pages.
 */
async function secondAttempt(
  failure: ProgramFailure,
  file: OperationFile,
  path: string,
  context: OperationContext,
): Promise<void> {
  const rebuilt = repairName(file, 'rebuilt');
  const bytes = await withTrailer(file);
  if (!bytes) throw repairFailure(failure, file);
  await writeFile(rebuilt, bytes);
  try {
    await decryptAndRepair(rebuilt, path, context);
  } catch (error) {
    throw repairFailure(error, file);
  }
}

/** Returns the error for the caller after qpdf could not repair the file. Other errors are returned unchanged. */
function repairFailure(error: unknown, file: OperationFile): unknown {
  if (!(error instanceof ProgramFailure)) return error;
  error.throwUnlessConclusive(file.name);
  return beyondRepair(file);
}

/**
 * Reads a file. Corrects a wrong page count, because qpdf trusts the count and then extracts no pages. Throws
 * PdfDamage.
 */
async function readWhole(path: string): Promise<PdfDocument> {
  const document = new PdfDocument(await readFile(path));
  if (!miscounts(document)) return document;
  const update = new IncrementalUpdate(document);
  countPages(document, update);
  await appendFile(path, update.build());
  return new PdfDocument(await readFile(path));
}
