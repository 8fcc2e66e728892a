/** Runs Tesseract on one page. */
import { readFile, rm } from 'node:fs/promises';
import { failed } from '../../../../src/core/errors.ts';
import type { OcrLanguage } from '../../../../src/lib/ocr-languages.ts';
import { ProgramFailure, runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';

const CEILING = { seconds: 120 };
/** Columns of its table. */
const LEVEL = 0;
const CONFIDENCE = 10;
const TEXT = 11;
const WORD_LEVEL = '5';

export interface RecognisedPage {
  text: string;
  characters: number;
  /** Characters weighted by the confidence (0 to 1) of their word. */
  certainCharacters: number;
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
  language: OcrLanguage,
  layout: PageLayout,
  context: OperationContext,
): Promise<RecognisedPage> {
  const output = `${image}.out`;
  try {
    const { stderr } = await runProgram(
      'tesseract',
      [image, output, '-l', language, '--oem', '1', '--psm', SEGMENTATION[layout], 'txt', 'tsv'],
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
    if (error.lacksMemory) throw failed('The page needs more memory than is given to one.');
    if (error.exitCode === null) {
      throw failed(`Recognising the page was ended from outside (${error.signal}). Try it again.`);
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

function weigh(table: string): Omit<RecognisedPage, 'text'> {
  let characters = 0;
  let certainCharacters = 0;
  for (const row of table.split('\n')) {
    const cells = row.split('\t');
    const word = cells[TEXT]?.trim() ?? '';
    const confidence = Number(cells[CONFIDENCE]);
    if (cells[LEVEL] !== WORD_LEVEL || word === '' || !(confidence >= 0)) continue;
    const { length } = [...word];
    characters += length;
    certainCharacters += (length * Math.min(confidence, 100)) / 100;
  }
  return { characters, certainCharacters };
}
