/** Uses qpdf to copy only the pages of files whose other parts cannot be copied. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PdfDocument } from '../../pdf/document.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import { MAX_PAGES } from '../../pdf/pages.ts';
import { ProgramFailure, ProgramTimeout } from '../../program-failure.ts';
import type { OperationContext } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { qpdf, qpdfRange } from './qpdf.ts';

export const PAGES_ONLY =
  'Only pages were copied, because a file is malformed. Bookmarks, named destinations or other parts may be missing.';

/** Returns the number of pages, or undefined if qpdf fails, takes too long, or finds no pages or too many. */
export async function countPagesByQpdf(
  path: string,
  context: OperationContext,
): Promise<number | undefined> {
  const counted = await orUndefined(qpdf(['--show-npages', path], context));
  const count = Number(counted?.stdout.toString('latin1'));
  // A damaged file may declare any number of pages.
  return count >= 1 && count <= MAX_PAGES ? count : undefined;
}

/** Merges all pages of these files into one PDF, with a warning. Returns undefined if qpdf cannot copy them. */
export async function pagesOnly(
  paths: readonly string[],
  context: OperationContext,
): Promise<StoredResult | undefined> {
  const sources: [string, number[]][] = [];
  for (const path of paths) {
    const count = await countPagesByQpdf(path, context);
    if (!count) return undefined;
    sources.push([path, Array.from({ length: count }, (_, index) => index + 1)]);
  }
  const path = join(context.directory, 'pages-only.pdf');
  if (!(await copyPagesOnly(sources, path, context))) return undefined;
  const { size } = await stat(path);
  const pages = sources.reduce((sum, [, selected]) => sum + selected.length, 0);
  return { contentType: 'application/pdf', path, size, meta: { pages, warnings: [PAGES_ONLY] } };
}

/** Writes a PDF with these pages of each file, counted from 1. Returns false if qpdf cannot copy all pages. */
export async function copyPagesOnly(
  sources: readonly [path: string, pages: readonly number[]][],
  to: string,
  context: OperationContext,
): Promise<boolean> {
  const pages = sources.flatMap(([path, selected]) => [path, qpdfRange(selected)]);
  // If several files have forms, qpdf renames their fonts. It changes the names in the content of the fields only if it
  // may rewrite streams.
  const streams = sources.length > 1 ? 'compress' : 'preserve';
  const options = [`--stream-data=${streams}`, '--remove-unreferenced-resources=no'];
  const copied = await orUndefined(
    qpdf([...options, '--empty', '--pages', ...pages, '--', to], context),
  );
  const expected = sources.reduce((sum, [, selected]) => sum + selected.length, 0);
  if (copied === undefined || (await countPagesByQpdf(to, context)) !== expected) return false;
  return !hasNullPage(new PdfDocument(await readFile(to)));
}

/**
 * Whether a page is missing from a file that qpdf has written. The file's page tree is flat and contains null for each
 * page that qpdf could not read.
 */
function hasNullPage(document: PdfDocument): boolean {
  const pages = unlessDamaged(() => document.dictionary(document.catalog.dictionary.get('Pages')));
  const kids = document.array(pages?.get('Kids')) ?? [];
  return kids.some((page) => unlessDamaged(() => document.resolve(page)) === null);
}

async function orUndefined<Result>(run: Promise<Result>): Promise<Result | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof ProgramFailure || error instanceof ProgramTimeout) return undefined;
    throw error;
  }
}
