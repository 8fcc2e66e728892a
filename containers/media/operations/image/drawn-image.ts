/** Distinguishes drawings, such as graphics and screenshots, from photos. */

/**
 * The maximum share of pixels that differ from their left neighbor in a drawing. The share is about 0.9 in photos and
 * less than 0.33 in screenshots.
 */
const MAX_CHANGED = 0.5;
/** Only every third row is compared, which is accurate enough. */
const ROWS = 3;

export const isDrawing = (changedShare: number) => changedShare < MAX_CHANGED;

/**
 * Returns the share of pixels that differ from their left neighbor. `pixels` contains interleaved pixels with eight
 * bits per channel.
 */
export function changedShare(pixels: Buffer, width: number, channels: number): number {
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

function isEqual(pixels: Buffer, one: number, other: number, channels: number): boolean {
  for (let channel = 0; channel < channels; channel += 1) {
    if (pixels[one + channel] !== pixels[other + channel]) return false;
  }
  return true;
}
