/** Distinguishes drawings (graphics, screenshots) from photos. */

/** The share of pixels equal to their left neighbour: about 0.1 in photos, more than 0.67 in screenshots. */
const LEAST_EQUAL = 0.5;

/** Whether most pixels equal their left neighbour. `pixels` are interleaved, eight bits per channel. */
export function isDrawn(pixels: Buffer, width: number, channels: number): boolean {
  let [equal, compared] = [0, 0];
  const rowLength = width * channels;
  for (let row = 0; row + rowLength <= pixels.length; row += rowLength) {
    for (let at = row + channels; at < row + rowLength; at += channels) {
      compared += 1;
      if (isEqual(pixels, at, at - channels, channels)) equal += 1;
    }
  }
  return compared > 0 && equal / compared > LEAST_EQUAL;
}

function isEqual(pixels: Buffer, one: number, other: number, channels: number): boolean {
  for (let channel = 0; channel < channels; channel += 1) {
    if (pixels[one + channel] !== pixels[other + channel]) return false;
  }
  return true;
}
