/** Defines the graphics state that positions text on a page (ISO 32000-1, sections 8.4 and 9.3). */
import { type FontMetrics, fontMetrics } from './font-metrics.ts';
import { type PdfValue, UNRESOLVED } from './objects.ts';
import type { Matrix } from './page-space.ts';

export const UNKNOWN_FONT = fontMetrics(UNRESOLVED, undefined);

/** A text rendering mode (section 9.3.6). */
const FILL_AND_STROKE = 2;

export interface GraphicsState {
  /** The current transformation matrix. It maps user space to points from the top left corner of the page. */
  matrix: Matrix;
  font: FontMetrics;
  fontSize: number;
  characterSpacing: number;
  wordSpacing: number;
  /** The horizontal scaling as a factor. The operand of `Tz` is a percentage. */
  horizontalScaling: number;
  leading: number;
  rise: number;
  /** Whether glyphs are both filled and stroked, which is how programs draw bold text in a regular font. */
  isStroked: boolean;
}

export const initialState = (matrix: Matrix): GraphicsState => ({
  matrix,
  font: UNKNOWN_FONT,
  fontSize: 0,
  characterSpacing: 0,
  wordSpacing: 0,
  horizontalScaling: 1,
  leading: 0,
  rise: 0,
  isStroked: false,
});

/** Returns the operand at `index`, or 0 if it is missing or no number. */
export function numberAt(operands: readonly PdfValue[], index: number): number {
  const value = operands[index];
  return typeof value === 'number' ? value : 0;
}

/** Returns the parameters that a text state operator with one number sets, or undefined for any other operator. */
export function textStateChange(
  operator: string,
  operands: readonly PdfValue[],
): Partial<GraphicsState> | undefined {
  const value = numberAt(operands, 0);
  switch (operator) {
    case 'Tc':
      return { characterSpacing: value };
    case 'Tw':
      return { wordSpacing: value };
    case 'Tz':
      return { horizontalScaling: value / 100 };
    case 'TL':
      return { leading: value };
    case 'Ts':
      return { rise: value };
    case 'Tr':
      return { isStroked: value === FILL_AND_STROKE };
  }
  return undefined;
}
