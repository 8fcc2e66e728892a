/**
 * Implements images_to_pdf, which makes one page per image, or per frame if all frames are requested, in the given
 * order. If some of the files are PDFs, it inserts all of their pages.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest } from '../../../../src/core/errors.ts';
import { PAPER, type PageLayout } from '../../../../src/lib/page-layout.ts';
import { documentKind } from '../document-kind.ts';
import type { EmbedTask } from '../image/embed-images.ts';
import { images } from '../image/process/image-pool.ts';
import { namingFiles, withDistinctNames } from '../naming-files.ts';
import type { Operation, OperationContext, OperationFile, OperationResult } from '../operation.ts';
import { type StoredResult, storedResult } from '../stored-result.ts';
import { documents } from './process/document-pool.ts';

/** Either one PDF or consecutive images. */
type Segment = { document: OperationFile } | { images: OperationFile[] };

export const operation: Operation = {
  kind: 'image',
  prepare: () => images.warm(),
  async run(params, files, context) {
    if (files.length === 0)
      throw badRequest('images_to_pdf needs at least one image or PDF.', 'files');
    const settings = { layout: readLayout(params), allFrames: params.frames === 'all' };
    return namingFiles(() => makePdf(withDistinctNames(files), settings, context));
  },
};

async function makePdf(
  files: readonly OperationFile[],
  settings: Pick<EmbedTask, 'layout' | 'allFrames'>,
  context: OperationContext,
): Promise<OperationResult> {
  const { directory, signal, limit } = context;
  const warnings: string[] = [];
  const parts: OperationFile[] = [];
  let pages = 0;
  for (const segment of await segmentsOf(files)) {
    if ('document' in segment) {
      parts.push(segment.document);
      continue;
    }
    const output = join(directory, `images-${parts.length}.pdf`);
    const task = { files: segment.images, output, ...settings };
    const embedded = await images.run('embed', task, signal, limit);
    warnings.push(...embedded.warnings);
    pages += embedded.pages;
    parts.push({ name: 'the images', path: output, size: (await stat(output)).size });
  }
  const stored = await asOne(parts, files, pages, context);
  const { warnings: own = [] } = stored.meta as { warnings?: string[] };
  return storedResult({ ...stored, meta: { ...stored.meta, warnings: [...warnings, ...own] } });
}

/**
 * @param given the files that the caller sent
 * @param pages the number of pages made from images
 */
async function asOne(
  parts: OperationFile[],
  given: readonly OperationFile[],
  pages: number,
  { directory, signal, limit }: OperationContext,
): Promise<StoredResult> {
  const [part] = parts;
  // We wrote this file ourselves, so no process needs to check it.
  if (parts.length === 1 && part && !given.includes(part)) {
    return {
      contentType: 'application/pdf',
      path: part.path,
      size: part.size,
      meta: { pages },
    };
  }
  // The `sound` task returns a single PDF unchanged, or decrypts or repairs it if necessary.
  const task = parts.length === 1 ? 'sound' : 'merge';
  return documents.run(task, { files: parts, directory, params: {} }, signal, limit);
}

function readLayout({ pageSize, margin, orientation }: Record<string, unknown>): PageLayout {
  const known = (['fit', ...Object.keys(PAPER)] as PageLayout['pageSize'][]).find(
    (name) => name === pageSize,
  );
  if (!known || typeof margin !== 'number') throw new Error('unchecked parameters');
  return { pageSize: known, margin, isLandscapeAllowed: orientation === 'auto' };
}

async function segmentsOf(files: readonly OperationFile[]): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const file of files) {
    const last = segments.at(-1);
    if ((await documentKind(file.path)) === 'pdf') segments.push({ document: file });
    else if (last && 'images' in last) last.images.push(file);
    else segments.push({ images: [file] });
  }
  return segments;
}
