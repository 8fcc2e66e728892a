/** Finds the pixels of an image that differ from its gutter color. A summed-area table makes counting fast. */
import type { Box } from './box.ts';

export type Color = readonly [red: number, green: number, blue: number];

/** RGB pixels, three bytes each. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/** The number of trailing bits of each channel that are ignored when colors are grouped, so that noise is ignored. */
const STEP_BITS = 4;

export class Ink {
  readonly width: number;
  readonly height: number;
  /** One byte per pixel: 1 for ink, 0 for the gutter color. */
  readonly mask: Uint8Array;
  private readonly sums: Uint32Array;

  /** @param tolerance the maximum difference of each channel from the gutter color */
  constructor({ data, width, height }: Pixels, [red, green, blue]: Color, tolerance: number) {
    this.width = width;
    this.height = height;
    this.mask = new Uint8Array(width * height);
    this.sums = new Uint32Array((width + 1) * (height + 1));
    for (let y = 0, pixel = 0; y < height; y += 1) {
      let row = 0;
      for (let x = 0; x < width; x += 1, pixel += 1) {
        const at = pixel * 3;
        const isInk =
          Math.abs((data[at] ?? 0) - red) > tolerance ||
          Math.abs((data[at + 1] ?? 0) - green) > tolerance ||
          Math.abs((data[at + 2] ?? 0) - blue) > tolerance;
        if (isInk) {
          this.mask[pixel] = 1;
          row += 1;
        }
        const below = (y + 1) * (width + 1) + x + 1;
        this.sums[below] = (this.sums[below - width - 1] ?? 0) + row;
      }
    }
  }

  /** Returns the number of ink pixels in a rectangle. */
  count({ x, y, width, height }: Box): number {
    const stride = this.width + 1;
    const [top, bottom] = [y * stride, (y + height) * stride];
    const at = (index: number) => this.sums[index] ?? 0;
    return at(bottom + x + width) - at(bottom + x) - at(top + x + width) + at(top + x);
  }
}

/** Returns the possible gutter colors inside a box. */
export function gutterColors(pixels: Pixels, box: Box): Color[] {
  const border = ringOf(pixels, box);
  const plain = plainColor(border, box);
  const inner = inset(box);
  const inside = plain && plainColor(ringOf(pixels, inner), inner);
  // A border whose color continues inwards is a margin. Otherwise, the border is a frame.
  if (plain && inside && isNear(plain, inside)) return [plain];
  const [right, bottom] = [box.x + box.width - 1, box.y + box.height - 1];
  const lines = new ColorCount(pixels);
  for (let x = box.x; x <= right; x += 1) lines.addLine(box.height, (index) => [x, box.y + index]);
  for (let y = box.y; y <= bottom; y += 1) lines.addLine(box.width, (index) => [box.x + index, y]);
  const counted = [...border.mostFrequent(2), ...lines.mostFrequent(3)];
  const colors: Color[] = [...counted.map(({ color }) => color), [255, 255, 255], [0, 0, 0]];
  return colors.filter(
    (color, index) => !colors.slice(0, index).some((other) => isNear(other, color)),
  );
}

/** A border counts as having a single color if its most frequent color covers more than this share of it. */
const PLAIN_BORDER = 0.9;
/** The minimum depth of a margin, as a share of the box's shorter side. */
const MARGIN = 0.01;

/** Returns the color of a border, or undefined if it has several colors. */
function plainColor(border: ColorCount, { width, height }: Box): Color | undefined {
  const [most] = border.mostFrequent(1);
  return most && most.pixels > PLAIN_BORDER * 2 * (width + height) ? most.color : undefined;
}

function inset({ x, y, width, height }: Box): Box {
  const by = Math.max(1, Math.round(Math.min(width, height) * MARGIN));
  return {
    x: x + by,
    y: y + by,
    width: Math.max(1, width - 2 * by),
    height: Math.max(1, height - 2 * by),
  };
}

/** Counts the colors of the pixels along a box's four sides. */
function ringOf(pixels: Pixels, box: Box): ColorCount {
  const ring = new ColorCount(pixels);
  const [right, bottom] = [box.x + box.width - 1, box.y + box.height - 1];
  for (let x = box.x; x <= right; x += 1) for (const y of [box.y, bottom]) ring.add(x, y);
  for (let y = box.y; y <= bottom; y += 1) for (const x of [box.x, right]) ring.add(x, y);
  return ring;
}

const isNear = (one: Color, other: Color) =>
  one.every((channel, index) => Math.abs(channel - (other[index] ?? 0)) <= 6);

/** The minimum share of a pixel row or column that must have the same color for it to be a gutter. */
const ONE_COLOR = 0.98;

class ColorCount {
  private readonly pixels: Pixels;
  /** The number of pixels and the sums of their channels, for each group of similar colors. */
  private readonly counts = new Map<number, [number, number, number, number]>();

  constructor(pixels: Pixels) {
    this.pixels = pixels;
  }

  add(x: number, y: number): void {
    const { data, width } = this.pixels;
    const at = (y * width + x) * 3;
    const key = this.keyAt(x, y);
    const count = this.counts.get(key) ?? [0, 0, 0, 0];
    count[0] += 1;
    count[1] += data[at] ?? 0;
    count[2] += data[at + 1] ?? 0;
    count[3] += data[at + 2] ?? 0;
    this.counts.set(key, count);
  }

  /** Counts the pixels of a row or column if almost all of them have the same color. */
  addLine(length: number, position: (index: number) => [x: number, y: number]): void {
    const first = this.keyAt(...position(0));
    let same = 0;
    for (let index = 0; index < length; index += 1) {
      if (this.keyAt(...position(index)) === first) same += 1;
      else if (index - same > length * (1 - ONE_COLOR)) return;
    }
    for (let index = 0; index < length; index += 1) this.add(...position(index));
  }

  mostFrequent(count: number): { pixels: number; color: Color }[] {
    return [...this.counts.values()]
      .sort((a, b) => b[0] - a[0])
      .slice(0, count)
      .map(([pixels, red, green, blue]) => ({
        pixels,
        color: [red / pixels, green / pixels, blue / pixels],
      }));
  }

  private keyAt(x: number, y: number): number {
    const { data, width } = this.pixels;
    const at = (y * width + x) * 3;
    const step = (offset: number) => (data[at + offset] ?? 0) >> STEP_BITS;
    return (step(0) << 8) | (step(1) << 4) | step(2);
  }
}
