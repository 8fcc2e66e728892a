/** What of a page is drawn: the viewport, the whole of it, or one element; never more than a picture may have. */
import { failed } from '../core/errors.ts';
import { MAX_PICTURE_PIXELS } from '../core/limits.ts';
import type { CaptureOptions } from '../core/ports.ts';
import { PAGE_HEIGHT } from './page-scripts.ts';
import type { ShownDocument } from './shown-document.ts';

/** CSS pixels of a page's height. */
export const MAX_PAGE_PIXELS = 12_000;
/** What Chromium draws in one picture, and WebP holds. */
const MAX_SIDE = 16_383;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The region in the protocol's terms. `boxOf` finds an element. */
export async function regionOf(
  { selector, fullPage, width, scale }: CaptureOptions,
  document: ShownDocument,
  boxOf: (selector: string) => Promise<Box | null>,
) {
  if (selector !== undefined) {
    const box = await boxOf(selector);
    if (!box)
      throw failed('No visible element matches selector. Give waitFor too where it appears later.');
    return beyondViewport(box, scale);
  }
  if (!fullPage) return { captureBeyondViewport: false };
  const height = (await document.evaluate(PAGE_HEIGHT)) as number;
  return beyondViewport({ x: 0, y: 0, width, height }, scale);
}

/** As much of a box as one picture holds. */
export function beyondViewport(box: Box, scale: number) {
  const [x, y] = [Math.round(box.x), Math.round(box.y)];
  const width = within(box.width, Math.floor(MAX_SIDE / scale));
  const most = Math.min(
    MAX_PAGE_PIXELS,
    MAX_SIDE / scale,
    MAX_PICTURE_PIXELS / (width * scale * scale),
  );
  const height = within(box.height, Math.floor(most));
  return { captureBeyondViewport: true, clip: { x, y, width, height, scale: 1 } };
}

const within = (size: number, most: number) => Math.max(1, Math.min(Math.round(size), most));
