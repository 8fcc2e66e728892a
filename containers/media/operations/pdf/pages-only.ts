/** The fallback for files that our own reader cannot read: qpdf copies their pages. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAXIMUM_PAGES } from '../../pdf/pages.ts';
import { ProgramFailure, ProgramTimeout } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { qpdf, qpdfRange } from './qpdf.ts';

export const PAGES_ONLY =
  'The file is malformed: its pages were copied, but bookmarks, named destinations or other parts may be missing.';

/** The number of pages that qpdf finds; undefined if it cannot read the file. */
export async function countPagesByQpdf(
  path: string,
  context: OperationContext,
): Promise<number | undefined> {
  const counted = await orUndefined(qpdf(['--show-npages', path], context));
  const count = Number(counted?.stdout.toString('latin1'));
  // A damaged file may claim any number of pages.
  return count >= 1 && count <= MAXIMUM_PAGES ? count : undefined;
}

/** All pages of these files in one PDF, with a warning. Undefined if qpdf cannot copy them. */
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

/** Writes a PDF with these pages of each file, from 1. False if qpdf cannot copy all of them. */
export async function copyPagesOnly(
  sources: readonly [path: string, pages: readonly number[]][],
  to: string,
  context: OperationContext,
): Promise<boolean> {
  const pages = sources.flatMap(([path, selected]) => [path, qpdfRange(selected)]);
  const options = ['--stream-data=preserve', '--remove-unreferenced-resources=no'];
  const copied = await orUndefined(
    qpdf([...options, '--empty', '--pages', ...pages, '--', to], context),
  );
  const expected = sources.reduce((sum, [, selected]) => sum + selected.length, 0);
  return copied !== undefined && (await countPagesByQpdf(to, context)) === expected;
}

async function orUndefined<Result>(run: Promise<Result>): Promise<Result | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof ProgramFailure || error instanceof ProgramTimeout) return undefined;
    throw error;
  }
}
