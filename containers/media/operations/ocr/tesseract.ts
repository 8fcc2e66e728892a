/** Tesseract over one page. */
import { readFile, rm } from 'node:fs/promises';
import { failed } from '../../../../src/core/errors.ts';
import type { OcrLanguage } from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
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
  /** Each character counted with the confidence, 0 to 1, of its word. */
  certainCharacters: number;
}

/** Tesseract's ways to see a page: it finds blocks, columns and the way up, or takes all for one upright block. */
export type PageLayout = 'found' | 'one block';
const SEGMENTATION: Record<PageLayout, string> = { found: '1', 'one block': '6' };

/** The picture could not be read, though its first bytes are those of one. */
export class UnreadablePicture extends Error {}

/**
 * Reads the text of one picture. It must be a picture by its first bytes: Tesseract takes a text file for a list of
 * files to read. Throws UnreadablePicture, ToolError, or the reason of an abort.
 */
export async function recognise(
  picture: string,
  language: OcrLanguage,
  layout: PageLayout,
  context: OperationContext,
): Promise<RecognisedPage> {
  const output = `${picture}.out`;
  try {
    const { stderr } = await runProgram(
      'tesseract',
      [picture, output, '-l', language, '--oem', '1', '--psm', SEGMENTATION[layout], 'txt', 'tsv'],
      {
        signal: context.signal,
        ...context.limit.within(CEILING),
        cwd: context.directory,
        // Its threads wait for each other in busy loops: with them a page takes four times as long.
        environment: { OMP_THREAD_LIMIT: '1' },
      },
    );
    // Of a TIFF that is cut off it reads nothing, and ends well.
    if (/^Error in pixRead/m.test(stderr)) throw new UnreadablePicture();
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.lacksMemory) throw failed('The page needs more memory than is given to one.');
    if (error.exitCode === null) {
      throw failed(`Recognising the page was ended from outside (${error.signal}). Try it again.`);
    }
    throw new UnreadablePicture(error.message, { cause: error });
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
