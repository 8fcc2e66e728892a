/** Recognizes the text of one image with Tesseract. */
import { readFile, rm } from 'node:fs/promises';
import { failed } from '../../../../src/core/errors.ts';
import type { OcrLanguage } from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { ProgramFailure } from '../../program-failure.ts';
import { runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';
import { type HocrPage, readHocr } from './hocr.ts';
import { withJoinedColumns } from './table-columns.ts';

const CEILING = { seconds: 120 };
/** The minimum confidence of a reliable word. Words with a lower confidence are usually noise. */
const MIN_SURE = 0.6;

/** Lengths are in pixels of the image. */
export interface RecognizedImage extends HocrPage {
  text: string;
  characters: number;
  /** The number of characters, each weighted by the confidence (0 to 1) of its word. */
  certainCharacters: number;
  /** Like `certainCharacters`, but without words that are usually noise. */
  sureCharacters: number;
}

export interface ReadingOptions {
  languages: readonly OcrLanguage[];
  layout: PageSegmentation;
}

/**
 * Tesseract's page segmentation modes. `found` detects blocks, columns and orientation. `one block` assumes a single
 * upright block.
 */
export type PageSegmentation = 'found' | 'one block';
const SEGMENTATION: Record<PageSegmentation, string> = { found: '1', 'one block': '6' };

/** Thrown if the file begins like an image but cannot be read. */
export class UnreadableImage extends Error {}

/**
 * Recognizes the text of one image. Check first that the file begins like an image, because Tesseract reads a text file
 * as a list of files. Throws UnreadableImage, ToolError, or the signal's abort reason.
 */
export async function recognize(
  image: string,
  { languages, layout }: ReadingOptions,
  context: OperationContext,
): Promise<RecognizedImage> {
  const output = `${image}.${layout === 'found' ? 'out' : 'block'}`;
  const language = languages.join('+');
  try {
    const { stderr } = await runProgram(
      'tesseract',
      [
        ...[image, output, '-l', language, '--oem', '1', '--psm', SEGMENTATION[layout]],
        'txt',
        'hocr',
      ],
      {
        signal: context.signal,
        ...context.limit.within(CEILING),
        cwd: context.directory,
        // With several threads, Tesseract takes four times as long, because its threads busy-wait for each other.
        environment: { OMP_THREAD_LIMIT: '1' },
      },
    );
    // For a truncated TIFF, Tesseract returns no text and exit code 0.
    if (/^Error in pixRead/m.test(stderr)) throw new UnreadableImage();
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.lacksMemory)
      throw failed('OCR of this page exceeds the memory limit. Send a smaller page or image.');
    if (error.exitCode === null) {
      throw failed(`The OCR program was killed (${error.signal}). Try again.`);
    }
    throw new UnreadableImage(error.message, { cause: error });
  }
  const [text, hocr] = await Promise.all([
    readFile(`${output}.txt`, 'utf8'),
    readFile(`${output}.hocr`, 'utf8'),
  ]);
  await Promise.all([rm(`${output}.txt`), rm(`${output}.hocr`)]);
  const page = readHocr(hocr, text);
  const joined = withJoinedColumns(text.replaceAll('\f', '').trim(), page.lines);
  return { text: joined, ...page, ...weigh(page) };
}

function weigh({ lines }: HocrPage) {
  const found = { characters: 0, certainCharacters: 0, sureCharacters: 0 };
  for (const { text, confidence } of lines.flatMap(({ words }) => words)) {
    const { length } = [...text];
    found.characters += length;
    found.certainCharacters += length * confidence;
    if (confidence >= MIN_SURE) found.sureCharacters += length * confidence;
  }
  return found;
}
