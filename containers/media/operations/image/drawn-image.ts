/** Distinguishes drawings, such as graphics and screenshots, from photos. */

/**
 * The maximum share of pixels that differ from their left neighbor in a drawing. The share is about 0.9 in photos and
 * less than 0.33 in screenshots without large photos.
 */
const MAX_CHANGED = 0.5;
/**
 * The minimum share of such pixels in a photo without plain areas. It is about 0.75 in screenshots with large photos.
 */
const MIN_CHANGED_OF_PHOTO = 0.8;
/** The maximum number of colors in dithered graphics, by number of channels. Many neighboring pixels differ in them. */
const MAX_FEW_COLORS = { 1: 64, 3: 256 };
/** Only every third row is compared, which is accurate enough. */
const ROWS = 3;

export const isDrawing = (changedShare: number) => changedShare < MAX_CHANGED;

/** Whether nearly the whole image is a photo, and not a drawing with few colors. Pixels are gray or RGB. */
export const isPhoto = (pixels: Uint8Array, width: number, channels: 1 | 3): boolean =>
  changedShare(pixels, width, channels) >= MIN_CHANGED_OF_PHOTO && hasManyColors(pixels, channels);

function hasManyColors(pixels: Uint8Array, channels: 1 | 3): boolean {
  const colors = new Set<number>();
  for (let at = 0; at + channels <= pixels.length; at += channels) {
    let color = 0;
    for (let channel = 0; channel < channels; channel += 1) {
      color = color * 256 + (pixels[at + channel] ?? 0);
    }
    colors.add(color);
    if (colors.size > MAX_FEW_COLORS[channels]) return true;
  }
  return false;
}

/**
 * Returns the share of pixels that differ from their left neighbor. `pixels` contains interleaved pixels with eight
 * bits per channel.
 */
export function changedShare(pixels: Uint8Array, width: number, channels: number): number {
  let [changed, compared] = [0, 0];
  const rowLength = width * channels;
  for (let row = 0; row + rowLength <= pixels.length; row += rowLength * ROWS) {
    for (let at = row + channels; at < row + rowLength; at += channels) {
      compared += 1;
      if (!isEqual(pixels, at, at - channels, channels)) changed += 1;
    }
  }
  return compared > 0 ? changed / compared : 1;
}

function isEqual(pixels: Uint8Array, one: number, other: number, channels: number): boolean {
  for (let channel = 0; channel < channels; channel += 1) {
    if (pixels[one + channel] !== pixels[other + channel]) return false;
  }
  return true;
}
