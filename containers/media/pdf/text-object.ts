/** Positions and measures the text that a content stream shows (ISO 32000-1, section 9.4). */
import type { FontMetrics } from './font-metrics.ts';
import type { GraphicsState } from './graphics-state.ts';
import { PdfString, type PdfValue } from './objects.ts';
import { type Box, boxOf, IDENTITY, type Matrix, times } from './page-space.ts';

/** The height of letters above the baseline, as a share of the font size. */
export const ASCENT = 0.8;
/** The minimum deviation of diagonal text from the horizontal and the vertical, as a sine. */
const MIN_SLOPE = 0.1;

/** The extent of the text that one operator shows. */
export interface TextExtent {
  box: Box;
  /** The font size in points. */
  size: number;
  /** The direction of diagonal text, such as a watermark, on the page. Other text has none. */
  direction?: readonly [x: number, y: number];
  /** The number of glyphs, without spaces in fonts with one byte per code. */
  glyphs: number;
}

/** The text matrix and the text line matrix. Both begin at the origin of user space. */
export class TextObject {
  private textMatrix: Matrix = IDENTITY;
  private lineMatrix: Matrix = IDENTITY;

  moveTo(matrix: Matrix): void {
    this.lineMatrix = matrix;
    this.textMatrix = matrix;
  }

  /** Moves from the start of the current line to the start of the next one. */
  moveLine(x: number, y: number): void {
    this.moveTo(times([1, 0, 0, 1, x, y], this.lineMatrix));
  }

  /**
   * Moves to the end of the text. `items` are the strings and adjustments of a `TJ` operand. Returns undefined if they
   * contain no character code.
   */
  show(items: readonly PdfValue[], state: GraphicsState): TextExtent | undefined {
    const { font, fontSize, rise } = state;
    const { advance, codes, spaces } = measured(items, state);
    const space = times(this.textMatrix, state.matrix);
    this.advance(advance, font);
    if (codes === 0) return undefined;
    const raised = times([1, 0, 0, 1, 0, rise], space);
    const [x, y] = space;
    const isDiagonal = Math.min(Math.abs(x), Math.abs(y)) > Math.hypot(x, y) * MIN_SLOPE;
    return {
      ...(isDiagonal ? { direction: [x / Math.hypot(x, y), y / Math.hypot(x, y)] as const } : {}),
      // Vertical glyphs are assumed to be as wide as they are high, and centered on the line.
      box: font.isVertical
        ? boxOf(raised, -fontSize / 2, 0, fontSize / 2, advance)
        : boxOf(raised, 0, 0, advance, fontSize * ASCENT),
      size: Math.abs(fontSize) * Math.hypot(space[2], space[3]),
      glyphs: codes - spaces,
    };
  }

  private advance(by: number, font: FontMetrics): void {
    const move: Matrix = font.isVertical ? [1, 0, 0, 1, 0, by] : [1, 0, 0, 1, by, 0];
    this.textMatrix = times(move, this.textMatrix);
  }
}

/** Returns the displacement in text space, and the numbers of character codes and of spaces. */
function measured(items: readonly PdfValue[], state: GraphicsState) {
  const { font, fontSize, characterSpacing, wordSpacing } = state;
  const scaling = font.isVertical ? 1 : state.horizontalScaling;
  let advance = 0;
  let codes = 0;
  let spaces = 0;
  for (const item of items) {
    if (typeof item === 'number') advance -= (item / 1000) * fontSize * scaling;
    if (!(item instanceof PdfString)) continue;
    for (const code of codesIn(item.bytes, font)) {
      const isSpace = font.bytesPerCode === 1 && code === 32;
      const spacing = characterSpacing + (isSpace ? wordSpacing : 0);
      const width = font.isVertical ? -1 : font.widthOf(code);
      advance += (width * fontSize + spacing) * scaling;
      codes += 1;
      if (isSpace) spaces += 1;
    }
  }
  return { advance, codes, spaces };
}

function* codesIn(bytes: Uint8Array, { bytesPerCode }: FontMetrics): Generator<number> {
  for (let at = 0; at < bytes.length; at += bytesPerCode) {
    yield bytesPerCode === 2 ? bytes[at]! * 256 + (bytes[at + 1] ?? 0) : bytes[at]!;
  }
}
