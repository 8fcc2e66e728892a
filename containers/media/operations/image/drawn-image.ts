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

export const isDrawing = ({ changed }: PixelShares) => changed < MAX_CHANGED;

/** Whether nearly the whole image is a photo, and not a drawing with few colors. Pixels are gray or RGB. */
export const isPhoto = (pixels: Uint8Array, width: number, channels: 1 | 3): boolean =>
  pixelShares(pixels, width, channels).changed >= MIN_CHANGED_OF_PHOTO &&
  hasManyColors(pixels, channels);

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

/** The minimum difference from the left neighbor, in any channel, at which a pixel belongs to an edge. */
const EDGE_LEVELS = 33;

/** How many pixels of an image differ from their left neighbor, as shares from 0 to 1. */
export interface PixelShares {
  /** The share of pixels that differ at all. */
  changed: number;
  /** The share of pixels that differ clearly, as at the edges of letters and lines, but not in gradients. */
  edges: number;
}

/** The shares of an image whose pixels are not compared. Such an image counts as a photo. */
export const NOT_COMPARED: PixelShares = { changed: 1, edges: 1 };

/** Compares the pixels with their left neighbors. `pixels` contains interleaved pixels with eight bits per channel. */
export function pixelShares(pixels: Uint8Array, width: number, channels: number): PixelShares {
  let [changed, edges, compared] = [0, 0, 0];
  const rowLength = width * channels;
  for (let row = 0; row + rowLength <= pixels.length; row += rowLength * ROWS) {
    for (let at = row + channels; at < row + rowLength; at += channels) {
      const levels = difference(pixels, at, at - channels, channels);
      compared += 1;
      if (levels > 0) changed += 1;
      if (levels >= EDGE_LEVELS) edges += 1;
    }
  }
  return compared > 0 ? { changed: changed / compared, edges: edges / compared } : NOT_COMPARED;
}

/** Returns the largest difference of two pixels in any channel. */
function difference(pixels: Uint8Array, one: number, other: number, channels: number): number {
  let largest = 0;
  for (let channel = 0; channel < channels; channel += 1) {
    const levels = Math.abs((pixels[one + channel] ?? 0) - (pixels[other + channel] ?? 0));
    if (levels > largest) largest = levels;
  }
  return largest;
}
