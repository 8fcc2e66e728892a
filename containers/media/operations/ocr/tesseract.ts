/** Runs Tesseract on one page. */
import { readFile, rm } from 'node:fs/promises';
import { failed } from '../../../../src/core/errors.ts';
import type { OcrLanguage } from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { ProgramFailure, runProgram } from '../../run-program.ts';
import type { Box } from '../image/scanned-page/page-pixels.ts';
import type { OperationContext } from '../operation.ts';
import type { Word } from './word-boxes.ts';

const CEILING = { seconds: 120 };
/** Columns of its table. */
const LEVEL = 0;
const [LEFT, TOP, WIDTH, HEIGHT] = [6, 7, 8, 9] as const;
const CONFIDENCE = 10;
const TEXT = 11;
const PAGE_LEVEL = '1';
const WORD_LEVEL = '5';
/** Words of less confidence are usually noise. */
const LEAST_SURE = 0.6;

export interface RecognisedImage {
  text: string;
  characters: number;
  /** Characters weighted by the confidence (0 to 1) of their word. */
  certainCharacters: number;
  /** The same, without words that are usually noise. */
  sureCharacters: number;
  /** In pixels of the image. */
  words: Word[];
  width: number;
  height: number;
}

export interface ReadingOptions {
  languages: readonly OcrLanguage[];
  layout: PageLayout;
}

/** Tesseract's page segmentation: it finds blocks, columns and orientation, or treats the page as one upright block. */
export type PageLayout = 'found' | 'one block';
const SEGMENTATION: Record<PageLayout, string> = { found: '1', 'one block': '6' };

/** The image could not be read, although its first bytes are those of an image. */
export class UnreadableImage extends Error {}

/**
 * Recognises the text of one image. The file must be an image by its first bytes: Tesseract takes a text file for a
 * list of files to read. Throws UnreadableImage, ToolError, or the reason of an abort.
 */
export async function recognise(
  image: string,
  { languages, layout }: ReadingOptions,
  context: OperationContext,
): Promise<RecognisedImage> {
  const output = `${image}.${layout === 'found' ? 'out' : 'block'}`;
  const language = languages.join('+');
  try {
    const { stderr } = await runProgram(
      'tesseract',
      [
        ...[image, output, '-l', language, '--oem', '1', '--psm', SEGMENTATION[layout]],
        'txt',
        'tsv',
      ],
      {
        signal: context.signal,
        ...context.limit.within(CEILING),
        cwd: context.directory,
        // Its threads wait for each other in busy loops: with them a page takes four times as long.
        environment: { OMP_THREAD_LIMIT: '1' },
      },
    );
    // A truncated TIFF yields no text and exit code 0.
    if (/^Error in pixRead/m.test(stderr)) throw new UnreadableImage();
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.lacksMemory) throw failed('The page exceeds the memory limit.');
    if (error.exitCode === null) {
      throw failed(`The OCR program was killed (${error.signal}). Try again.`);
    }
    throw new UnreadableImage(error.message, { cause: error });
  }
  const [text, table] = await Promise.all([
    readFile(`${output}.txt`, 'utf8'),
    readFile(`${output}.tsv`, 'utf8'),
  ]);
  await Promise.all([rm(`${output}.txt`), rm(`${output}.tsv`)]);
  return { text: text.replaceAll('\f', '').trim(), ...weigh(table) };
}

function weigh(table: string): Omit<RecognisedImage, 'text'> {
  const found = { characters: 0, certainCharacters: 0, sureCharacters: 0, width: 0, height: 0 };
  const words: Word[] = [];
  for (const row of table.split('\n')) {
    const cells = row.split('\t');
    const [x, y, width, height] = [LEFT, TOP, WIDTH, HEIGHT].map((column) => Number(cells[column]));
    if (cells[LEVEL] === PAGE_LEVEL) Object.assign(found, { width, height });
    const text = cells[TEXT]?.trim() ?? '';
    if (cells[LEVEL] !== WORD_LEVEL || text === '' || !(Number(cells[CONFIDENCE]) >= 0)) continue;
    const confidence = Math.min(Number(cells[CONFIDENCE]), 100) / 100;
    const { length } = [...text];
    found.characters += length;
    found.certainCharacters += length * confidence;
    if (confidence >= LEAST_SURE) found.sureCharacters += length * confidence;
    words.push({ text, confidence, ...({ x, y, width, height } as Box) });
  }
  return { ...found, words };
}
