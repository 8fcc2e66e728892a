/** The pages of a PDF, rendered for text recognition. */
import { readFile, writeFile } from 'node:fs/promises';
import { badRequest } from '../../../../src/core/errors.ts';
import { ProgramFailure, runProgram } from '../../run-program.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { DocumentPages } from './pages.ts';

const RESOLUTION = 300;
const POINTS_PER_INCH = 72;
/** A page larger than A1 is rendered at less than 300 dpi. */
const MAXIMUM_PIXELS = 70_000_000;
const TIME_LIMIT_MS = 60_000;
/** Pages whose sizes are asked for; a document with more is refused anyway. */
const MEASURED_PAGES = 51;

export async function openPdfPages(
  file: OperationFile,
  context: OperationContext,
): Promise<DocumentPages> {
  const { count, sizes } = await measure(file, context);
  const resolutions = sizes.map(([width, height]) => {
    const fitting = POINTS_PER_INCH * Math.sqrt(MAXIMUM_PIXELS / (width * height));
    return Math.max(1, Math.min(RESOLUTION, Math.floor(fitting)));
  });
  const warnings = resolutions.flatMap((resolution, index) =>
    resolution < RESOLUTION
      ? [
          `Page ${index + 1} is so large that it was read at ${resolution} dpi, not at ${RESOLUTION}.`,
        ]
      : [],
  );
  return {
    count,
    warnings,
    prepare: async (index, ofPage, turned = false) => {
      const path = await render(file, index, resolutions[index] ?? RESOLUTION, ofPage);
      if (turned) await turn(path);
      return path;
    },
  };
}

/** How many pages there are, and width and height of the first of them in points. */
async function measure(
  file: OperationFile,
  context: OperationContext,
): Promise<{ count: number; sizes: [number, number][] }> {
  let text: string;
  try {
    const { stdout } = await runProgram(
      'pdfinfo',
      ['-f', '1', '-l', String(MEASURED_PAGES), file.path],
      { signal: context.signal, timeLimitMs: TIME_LIMIT_MS, cwd: context.directory },
    );
    text = stdout.toString('utf8');
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (/password/i.test(error.stderr)) {
      throw badRequest(
        `"${file.name}" needs a password. Remove its protection and send it again.`,
        'file',
      );
    }
    throw damaged(file);
  }
  const count = Number(/^Pages: +(\d+)$/m.exec(text)?.[1] ?? 0);
  if (count < 1) throw badRequest(`"${file.name}" has no pages.`, 'file');
  const sizes = [...text.matchAll(/^Page +\d+ size: +([\d.]+) x ([\d.]+) pts/gm)].map(
    ([, width, height]): [number, number] => [
      Math.max(1, Number(width)),
      Math.max(1, Number(height)),
    ],
  );
  return { count, sizes };
}

async function render(
  file: OperationFile,
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
    await runProgram('pdftoppm', [...options, file.path, output], {
      signal: context.signal,
      timeLimitMs: TIME_LIMIT_MS,
      cwd: context.directory,
    });
  } catch (error) {
    throw error instanceof ProgramFailure ? damaged(file) : error;
  }
  return `${output}.pgm`;
}

/** Turns a PGM file by 180 degrees: behind its head there is one byte a pixel. */
async function turn(path: string): Promise<void> {
  const bytes = await readFile(path);
  const head = /^P5\s+\d+\s+\d+\s+\d+\s/.exec(bytes.toString('latin1', 0, 64))?.[0].length ?? 0;
  bytes.subarray(head).reverse();
  await writeFile(path, bytes);
}

const damaged = (file: OperationFile) =>
  badRequest(
    `"${file.name}" cannot be read as a PDF: it is damaged or cut off. Save it anew in a PDF program and send that.`,
    'file',
  );
