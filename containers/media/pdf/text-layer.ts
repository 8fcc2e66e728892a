/**
 * Adds invisible text (text rendering mode 3) below the content of pages. The text is aligned with the text in the
 * pages' images.
 */
import type { PdfDocument } from './document.ts';
import type { IncrementalUpdate } from './incremental-update.ts';
import { GLYPH_WIDTH, InvisibleFont } from './invisible-font.ts';
import type { PdfReference, PdfValue } from './objects.ts';
import { inverse, type Matrix, pageSpace, times } from './page-space.ts';
import type { Page } from './pages.ts';
import { flateStream } from './stream-data.ts';

/** A box in pixels from the top left corner. */
export interface LayerBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A line of text with the same fields as `TextLine` in operations/ocr/hocr.ts. */
export interface LayerLine extends LayerBox {
  words: readonly (LayerBox & { text: string; isJoined: boolean })[];
  angle: 0 | 90 | 180 | 270;
  slope: number;
  offset: number;
  size: number;
  descenders: number;
}

export interface LayerPage {
  /** The page index, from 0. */
  index: number;
  lines: readonly LayerLine[];
  /** The matrix from pixels of the lines to pixels of the page as shown. */
  toPage: Matrix;
  /** The size of the page as shown, in pixels. */
  width: number;
  height: number;
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const LEFT_TO_RIGHT = /[\p{Nd}\p{Script=Latin}][\p{Nd}\p{Script=Latin}.,:/]*/gu;

export function addTextLayers(
  document: PdfDocument,
  pages: readonly Page[],
  layers: readonly LayerPage[],
  update: IncrementalUpdate,
): void {
  const font = new InvisibleFont();
  const reference = update.allocate();
  for (const layer of layers) {
    const page = pages[layer.index];
    if (!page || !layer.lines.some(({ words }) => words.length > 0)) continue;
    const { matrix, width, height } = pageSpace(document, page, 'CropBox');
    const toPoints: Matrix = [width / layer.width, 0, 0, height / layer.height, 0, 0];
    const toUser = times(times(layer.toPage, toPoints), inverse(matrix));
    const resources = withFont(document, page, reference);
    const lines = layer.lines.map((line) => lineOperators(line, font, resources.name));
    const space = toUser.map((value) => Number(value.toFixed(6))).join(' ');
    const content = flateStream(Buffer.from(`q ${space} cm BT 3 Tr\n${lines.join('')}ET Q\n`));
    update.set(
      page.reference,
      new Map([
        ...page.dictionary,
        ['Resources', resources.value],
        ['Contents', [update.add(content), ...contentsOf(document, page)]],
      ]),
    );
  }
  if (!font.isEmpty) font.write(reference, update);
}

const contentsOf = (document: PdfDocument, { dictionary }: Page): PdfValue[] =>
  document.list(dictionary.get('Contents')).filter((item) => document.resolve(item) !== null);

/** Returns the resources of a page with the font added under an unused name. */
function withFont(document: PdfDocument, page: Page, font: PdfReference) {
  const given = page.dictionary.get('Resources') ?? page.inherited.get('Resources');
  const resources = document.dictionary(given) ?? new Map<string, PdfValue>();
  const fonts = document.dictionary(resources.get('Font')) ?? new Map<string, PdfValue>();
  let number = 0;
  while (fonts.has(`Ocr${number}`)) number += 1;
  const key = `Ocr${number}`;
  const value = new Map([...resources, ['Font', new Map([...fonts, [key, font]])]]);
  return { name: key, value };
}

/**
 * Returns the operators that show a line. They set a text matrix for the baseline, and the position and width of each
 * word.
 */
function lineOperators(line: LayerLine, font: InvisibleFont, fontName: string): string {
  const { x, y, height, along, above } = baselineOf(line);
  const size = Math.max(1, line.size > 0 ? line.size : height);
  const isSideways = line.angle === 90 || line.angle === 270;
  const lengthOf = ({ width, height }: LayerBox) => (isSideways ? height : width);
  const start = (box: LayerBox) => {
    const [dx, dy] = [box.x + box.width / 2 - x, box.y + box.height / 2 - y];
    return dx * along[0] + dy * along[1] - lengthOf(box) / 2;
  };
  const matrix = [...along, ...above, x, y].map(decimal).join(' ');
  let operators = `${matrix} Tm /${fontName} ${decimal(size)} Tf\n`;
  let position = 0;
  for (const [index, word] of line.words.entries()) {
    const at = start(word);
    const next = line.words[index + 1];
    const width = Math.max(
      1,
      next?.isJoined && start(next) > at ? start(next) - at : lengthOf(word),
    );
    const glyphs = [...word.text].length * (GLYPH_WIDTH / 1000) * size;
    const text = font.encode(`${asDrawn(word.text)}${next && !next.isJoined ? ' ' : ''}`);
    operators += `${decimal(at - position)} 0 Td ${decimal((100 * width) / glyphs)} Tz ${text} Tj\n`;
    position = at;
  }
  return operators;
}

/**
 * Returns the start of a line's baseline, the height of the line, and unit vectors along the text and towards the top
 * of the letters.
 */
function baselineOf(line: LayerLine) {
  const { x, y, width, height, angle, slope, offset, size, descenders } = line;
  if (angle === 0) {
    const length = Math.hypot(1, slope);
    const [cos, sin] = [1 / length, slope / length];
    return { x, y: y + height + offset, height, along: [cos, sin], above: [sin, -cos] } as const;
  }
  const across = angle === 180 ? height : width;
  const below = Math.max(0, across - (size - descenders));
  if (angle === 180) {
    return { x: x + width, y: y + below, height, along: [-1, 0], above: [0, 1] } as const;
  }
  return angle === 90
    ? ({
        x: x + width - below,
        y: y + height,
        height: width,
        along: [0, -1],
        above: [-1, 0],
      } as const)
    : ({ x: x + below, y, height: width, along: [0, 1], above: [1, 0] } as const);
}

/** Returns the letters from left to right, because readers expect text in the order in which it is drawn. */
function asDrawn(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  const reversed = [...text].reverse().join('');
  return reversed.replace(LEFT_TO_RIGHT, (run) => [...run].reverse().join(''));
}

const decimal = (value: number) => String(Number(value.toFixed(3)) + 0);
