/** images_to_pdf: one page a picture in the order given; PDFs among them are spliced in whole. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest } from '../../../../src/core/errors.ts';
import { PdfDamage } from '../../../../src/pdf/objects.ts';
import { documentKind } from '../document-kind.ts';
import { namingFiles, toldApart } from '../naming-files.ts';
import type { Operation, OperationContext, OperationFile, OperationResult } from '../operation.ts';
import { normalise, openInput, readStructure } from '../pdf/input.ts';
import { mergeFiles } from '../pdf/merge.ts';
import { PAPER, type PageLayout } from './picture-document.ts';
import { runPictureTask, warmPictureProcess } from './picture-pool.ts';

/** A PDF, or pictures that follow one another. */
type Segment = { document: OperationFile } | { pictures: OperationFile[] };

export const imagesToPdf: Operation = {
  kind: 'image',
  prepare: warmPictureProcess,
  async run(params, files, context) {
    if (files.length === 0) throw badRequest('images_to_pdf needs at least one picture.', 'files');
    const layout = readLayout(params);
    return namingFiles(() => makePdf(toldApart(files), layout, context));
  },
};

async function makePdf(
  files: readonly OperationFile[],
  layout: PageLayout,
  context: OperationContext,
): Promise<OperationResult> {
  const warnings: string[] = [];
  const documents: OperationFile[] = [];
  for (const segment of await segmentsOf(files)) {
    if ('document' in segment) {
      documents.push(segment.document);
      continue;
    }
    const output = join(context.directory, `pictures-${documents.length}.pdf`);
    const task = { files: segment.pictures, output, layout };
    warnings.push(...(await runPictureTask('embed', task, context.signal)).warnings);
    documents.push({ name: 'the pictures', path: output, size: (await stat(output)).size });
  }
  const [only] = documents;
  const result =
    documents.length === 1 && only
      ? await alone(only, context)
      : await mergeFiles(documents, context);
  return { ...result, meta: { ...result.meta, warnings } };
}

function readLayout({ pageSize, margin }: Record<string, unknown>): PageLayout {
  const known = (['fit', ...Object.keys(PAPER)] as PageLayout['pageSize'][]).find(
    (name) => name === pageSize,
  );
  if (!known || typeof margin !== 'number') throw new Error('unchecked parameters');
  return { pageSize: known, margin };
}

async function segmentsOf(files: readonly OperationFile[]): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const file of files) {
    const last = segments.at(-1);
    if ((await documentKind(file.path)) === 'pdf') segments.push({ document: file });
    else if (last && 'pictures' in last) last.pictures.push(file);
    else segments.push({ pictures: [file] });
  }
  return segments;
}

/** A single PDF as it is; decrypted or repaired where it must be. */
async function alone(file: OperationFile, context: OperationContext): Promise<OperationResult> {
  let input = await openInput(file, context);
  try {
    readStructure(input.document);
  } catch (error) {
    if (!(error instanceof PdfDamage)) throw error;
    input = await normalise(file, context);
  }
  return {
    contentType: 'application/pdf',
    size: (await stat(input.path)).size,
    open: () => createReadStream(input.path, { highWaterMark: 1024 * 1024 }),
    meta: {},
  };
}
