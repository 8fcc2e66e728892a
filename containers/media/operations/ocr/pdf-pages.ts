/** Opens a PDF for OCR and renders its pages. */
import { badRequest, failed } from '../../../../src/core/errors.ts';
import { ProgramFailure, ProgramTimeout } from '../../program-failure.ts';
import { WorkLimit } from '../../work-limit.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import { poppler } from '../pdf/poppler.ts';
import { documents } from '../pdf/process/document-pool.ts';
import type { FoundPdf } from '../pdf/sound-pdf.ts';
import type { DocumentPages, PageImage } from './document-pages.ts';
import { POINTS_PER_INCH, pageResolutions, RESOLUTION } from './page-resolutions.ts';

/**
 * poppler needed 0.01 CPU seconds per megapixel for the median page of 88 public PDFs, and 0.04 for the slowest page.
 */
const DRAWING_SECONDS_PER_MEGAPIXEL = 0.2;
/** The maximum number of pages whose size is read. Documents with this many pages or more are rejected. */
const MEASURED_PAGES = 51;

export async function openPdfPages(
  file: OperationFile,
  context: OperationContext,
): Promise<DocumentPages> {
  const { directory, signal, limit } = context;
  const given = { files: [file], directory, params: {} };
  let input = await documents.run('open', given, signal, limit);
  let measured = await measure(file, input, context);
  if (!measured && !input.normalized) {
    input = await documents.run('repair', given, signal, limit);
    measured = await measure(file, input, context);
  }
  if (!measured) throw damaged(file);
  const { count, sizes } = measured;
  const { resolutions, warnings } = await pageResolutions(input.path, sizes, context);
  return {
    count,
    warnings,
    pixelsPerPoint: resolutions.map((resolution) => resolution / POINTS_PER_INCH),
    asPdf: async () => {
      const { path } = input;
      const task = { files: [{ ...file, path }], directory, params: { ocr: 'auto' } };
      const { meta } = await documents.run('parse', task, signal, limit);
      const { recognize } = meta as { recognize: number[] };
      return { path, unread: recognize.map((number) => number - 1), warnings: [] };
    },
    prepare: async (index, ofPage) => {
      const resolution = resolutions[index] ?? RESOLUTION;
      const [width, height] = sizes[index] ?? [0, 0];
      const pixels = width * height * (resolution / POINTS_PER_INCH) ** 2;
      const limit = new WorkLimit(file.size);
      limit.allow((pixels / 1e6) * DRAWING_SECONDS_PER_MEGAPIXEL);
      const path = await render(file, input, index, resolution, { ...ofPage, limit });
      return { path, pixels } satisfies PageImage;
    },
  };
}

/**
 * Returns the number of pages, and the width and height of the first pages in points. Returns undefined if the file is
 * damaged. Throws ToolError 422 if poppler lacks the memory to read a repaired file.
 */
async function measure(
  file: OperationFile,
  { path, normalized }: FoundPdf,
  context: OperationContext,
): Promise<{ count: number; sizes: [number, number][] } | undefined> {
  let text: string;
  try {
    const span = ['-f', '1', '-l', String(MEASURED_PAGES)];
    const { stdout } = await poppler('pdfinfo', [...span, path], context);
    text = stdout.toString('utf8');
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (normalized) error.throwUnlessConclusive(file.name);
    return undefined;
  }
  const count = Number(/^Pages: +(\d+)$/m.exec(text)?.[1] ?? 0);
  const sizes = [...text.matchAll(/^Page +\d+ size: +([\d.]+) x ([\d.]+) pts/gm)].map(
    ([, width, height]): [number, number] => [Number(width), Number(height)],
  );
  // poppler reports pages without a size if it cannot find them.
  if (count < 1 || sizes.every(([width, height]) => width * height === 0)) return undefined;
  return {
    count,
    sizes: sizes.map(([width, height]) => [Math.max(1, width), Math.max(1, height)]),
  };
}

async function render(
  file: OperationFile,
  { path }: FoundPdf,
  index: number,
  resolution: number,
  context: OperationContext,
): Promise<string> {
  const page = String(index + 1);
  const output = `${context.directory}/page-${page}`;
  try {
    const options = [
      '-gray',
      '-cropbox',
      '-r',
      String(resolution),
      '-f',
      page,
      '-l',
      page,
      '-singlefile',
    ];
    await poppler('pdftoppm', [...options, path, output], context);
  } catch (error) {
    if (error instanceof ProgramTimeout) {
      throw failed(
        `Page ${page} of "${file.name}" takes too long to render. Remove it with split_pdf.`,
      );
    }
    if (!(error instanceof ProgramFailure)) throw error;
    error.throwUnlessConclusive(file.name);
    throw damaged(file);
  }
  return `${output}.pgm`;
}

const damaged = (file: OperationFile) =>
  badRequest(
    `"${file.name}" cannot be read as a PDF: it is damaged or truncated. Save it again in a PDF program and send the new file.`,
    'file',
  );
