/** Reverses the PNG predictors of rows (ISO 32000-1, section 7.4.4.4). */

export function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

/** Reverses PNG filters. Each row consists of a filter byte and `width` data bytes. */
export function withoutPredictor(data: Uint8Array, width: number, pixel: number): Uint8Array {
  const rows = Math.floor(data.length / (width + 1));
  const result = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (width + 1) + 1;
    const to = row * width;
    const filter = data[from - 1] as number;
    for (let index = 0; index < width; index += 1) {
      const raw = data[from + index] as number;
      const left = index >= pixel ? (result[to + index - pixel] as number) : 0;
      const up = row > 0 ? (result[to + index - width] as number) : 0;
      const upLeft = row > 0 && index >= pixel ? (result[to + index - width - pixel] as number) : 0;
      let predicted = 0;
      if (filter === 1) predicted = left;
      else if (filter === 2) predicted = up;
      else if (filter === 3) predicted = (left + up) >> 1;
      else if (filter === 4) predicted = paeth(left, up, upLeft);
      result[to + index] = raw + predicted;
    }
  }
  return result;
}
