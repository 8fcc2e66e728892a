/**
 * Formats the pages that OCR has read as Markdown and as blocks with bounding boxes. This is one of the tasks of
 * document processes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Box, boxOf, type Matrix } from '../../pdf/page-space.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { StoredResult } from '../stored-result.ts';
import { isScattered, markdown } from './markdown.ts';
import { untaggedBlocks } from './page-blocks.ts';
import { layoutOf } from './page-layout.ts';
import type { StyledWord } from './styled-words.ts';
import { markHeadings } from './untagged-headings.ts';

export interface RecognizedPageWords {
  /** The number of the page in the caller's file, from 1. */
  number: number;
  /** The size of the page as shown, in points. */
  width: number;
  height: number;
  /** The words in reading order, in points on the page with its text upright. */
  words: StyledWord[];
  /** The matrix from the upright page to the page as shown. */
  toPage: Matrix;
  /** The text of the page as Tesseract formats it. */
  text: string;
}

export interface FormattedPages {
  /** The Markdown of each page, or Tesseract's text if the words of the page are scattered. */
  texts: string[];
  layout: ReturnType<typeof layoutOf>;
}

/** Writes FormattedPages as JSON. `pages` is the path of a JSON file, because many words do not fit into a message. */
export async function formatRecognized(
  params: { pages?: string },
  _files: readonly OperationFile[],
  { directory }: OperationContext,
): Promise<StoredResult> {
  const pages: RecognizedPageWords[] = JSON.parse(await readFile(params.pages!, 'utf8'));
  const read = new Map(
    pages.map(({ width, height, words }, index) => [
      index,
      { width, height, blocks: untaggedBlocks(words), isTagged: false },
    ]),
  );
  markHeadings([...read.values()].map(({ blocks }) => blocks));
  const texts = pages.map(({ number, text }, index) => {
    const page = read.get(index)!;
    return isScattered(page) ? text : markdown(page.blocks, number);
  });
  for (const [index, { blocks }] of read) {
    for (const block of blocks) Object.assign(block, shownBox(block, pages[index]!.toPage));
  }
  const numbers = pages.map(({ number }) => number);
  const formatted: FormattedPages = { texts, layout: layoutOf(read, numbers) };
  const path = join(directory, 'formatted.json');
  const body = Buffer.from(JSON.stringify(formatted));
  await writeFile(path, body);
  return { contentType: 'application/json', path, size: body.length, meta: {} };
}

const shownBox = ({ left, top, right, bottom }: Box, toPage: Matrix): Box =>
  boxOf(toPage, left, top, right, bottom);
