/**
 * Determines the captured region of a page, which is the viewport, the whole page or one element. The region is cropped
 * to the size limit of an image.
 */
import { failed } from '../core/errors.ts';
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE, MAX_PAGE_HEIGHT } from '../core/limits.ts';
import type { CaptureOptions, Cut } from '../core/ports.ts';
import { PAGE_HEIGHT } from './page-scripts.ts';
import type { ShownDocument } from './shown-document.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface CaptureRegion {
  /** The parameters of `Page.captureScreenshot` in the DevTools protocol. */
  params: { captureBeyondViewport: boolean; clip?: Box & { scale: number } };
  /** Describes how the region was cropped, if it exceeded the size limit. */
  cut?: Cut;
}

/** `boxOf` returns the box of an element. */
export async function regionOf(
  { selector, fullPage, width, scale }: CaptureOptions,
  document: ShownDocument,
  boxOf: (selector: string) => Promise<Box | null>,
): Promise<CaptureRegion> {
  if (selector !== undefined) {
    const box = await boxOf(selector);
    if (!box)
      throw failed(
        'No visible element matches `selector`. If it appears later, also set `waitFor`.',
      ).naming('selector');
    return beyondViewport(box, scale);
  }
  if (!fullPage) return { params: { captureBeyondViewport: false } };
  const height = (await document.evaluate(PAGE_HEIGHT)) as number;
  return beyondViewport({ x: 0, y: 0, width, height }, scale);
}

/** Returns the largest part of a box that one image can hold. */
export function beyondViewport(box: Box, scale: number) {
  const [x, y] = [Math.round(box.x), Math.round(box.y)];
  const whole = { width: wholePixels(box.width), height: wholePixels(box.height) };
  const width = Math.min(whole.width, Math.floor(MAX_IMAGE_SIDE / scale));
  const most = Math.min(
    ...[MAX_PAGE_HEIGHT, MAX_IMAGE_SIDE / scale, MAX_IMAGE_PIXELS / (width * scale * scale)],
  );
  const drawn = { width, height: Math.min(whole.height, Math.floor(most)) };
  const isAll = drawn.width === whole.width && drawn.height === whole.height;
  return {
    params: { captureBeyondViewport: true, clip: { x, y, ...drawn, scale: 1 } },
    ...(!isAll && { cut: { drawn, whole } }),
  };
}

const wholePixels = (size: number) => Math.max(1, Math.round(size));
