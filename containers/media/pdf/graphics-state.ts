/** Defines the graphics state that positions text on a page (ISO 32000-1, sections 8.4 and 9.3). */
import { type FontMetrics, fontMetrics } from './font-metrics.ts';
import { UNRESOLVED } from './objects.ts';
import type { Matrix } from './page-space.ts';

export const UNKNOWN_FONT = fontMetrics(UNRESOLVED, undefined);

export interface GraphicsState {
  matrix: Matrix;
  font: FontMetrics;
  size: number;
  characterSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
}

export const initialState = (matrix: Matrix): GraphicsState => ({
  matrix,
  font: UNKNOWN_FONT,
  size: 0,
  characterSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
});
