/** Makes a vision model's boxes usable: in whole pixels, inside the image, and without overlaps. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The minimum side length of a box, as a fraction of the image's side and in pixels. A smaller box counts as empty. */
const MIN_SHARE = 0.01;
const MIN_PIXELS = 4;
/** Two boxes show the same panel if at least this fraction of the smaller box lies in the other. */
const SAME_SHARE = 0.6;
/**
 * The maximum number of boxes. Additional boxes are noise, and the time to compare panels in pairs grows with the
 * square of their number.
 */
const MAX_BOXES = 200;

/**
 * Returns the panels among `given`, in the given order. Fractional coordinates are scaled, and boxes are clipped to the
 * image. A box around several others is dropped, and so is the smaller of two boxes for the same panel. An overlap is
 * split in the middle.
 */
export function repairBoxes(given: readonly Box[], width: number, height: number): Box[] {
  const least = { width: leastOf(width), height: leastOf(height) };
  const isPanel = (box: Box) => box.width >= least.width && box.height >= least.height;
  const inside = scaled(given.slice(0, MAX_BOXES), width, height)
    .filter((box) => Object.values(box).every(Number.isFinite))
    .map((box) => clamp(box, width, height))
    .filter(isPanel);
  const frames = inside.filter((box) => holdsSeveral(box, inside));
  const boxes = withoutDoubles(inside.filter((box) => !frames.includes(box)));
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) part(one, other);
  }
  return boxes.filter(isPanel);
}

const leastOf = (side: number) => Math.max(MIN_PIXELS, Math.ceil(side * MIN_SHARE));

/** Some models return fractions of the image's size regardless of the instructions. */
function scaled(boxes: readonly Box[], width: number, height: number): Box[] {
  const fractions =
    boxes.length > 0 &&
    boxes.every(({ x, y, width: w, height: h }) => Math.max(x, y, w, h, x + w, y + h) <= 1.001);
  if (!fractions) return boxes.map((box) => ({ ...box }));
  return boxes.map((box) => ({
    x: box.x * width,
    y: box.y * height,
    width: box.width * width,
    height: box.height * height,
  }));
}

function clamp(box: Box, width: number, height: number): Box {
  const within = (value: number, most: number) => Math.min(Math.max(Math.round(value), 0), most);
  const [left, right] = [within(box.x, width), within(box.x + box.width, width)];
  const [top, bottom] = [within(box.y, height), within(box.y + box.height, height)];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const area = ({ width, height }: Box) => width * height;

function overlap(one: Box, other: Box): { width: number; height: number } {
  const span = (from: number, size: number, otherFrom: number, otherSize: number) =>
    Math.min(from + size, otherFrom + otherSize) - Math.max(from, otherFrom);
  return {
    width: Math.max(0, span(one.x, one.width, other.x, other.width)),
    height: Math.max(0, span(one.y, one.height, other.y, other.height)),
  };
}

const sharedArea = (one: Box, other: Box) => {
  const { width, height } = overlap(one, other);
  return width * height;
};

/**
 * Whether the box surrounds at least two others that show different panels. Such a box shows the page or a row instead
 * of a panel.
 */
function holdsSeveral(box: Box, boxes: readonly Box[]): boolean {
  const held = boxes.filter(
    (other) =>
      other !== box && area(other) < 0.8 * area(box) && sharedArea(box, other) >= 0.9 * area(other),
  );
  return held.some((one, index) =>
    held
      .slice(index + 1)
      .some((other) => sharedArea(one, other) < SAME_SHARE * Math.min(area(one), area(other))),
  );
}

/** Returns the boxes, without the smaller of any two that show the same panel. */
function withoutDoubles(boxes: readonly Box[]): Box[] {
  return boxes.filter((box, index) =>
    boxes.every((other, otherIndex) => {
      if (other === box || sharedArea(box, other) < SAME_SHARE * Math.min(area(box), area(other))) {
        return true;
      }
      return area(box) > area(other) || (area(box) === area(other) && index < otherIndex);
    }),
  );
}

/** Moves the edges of two overlapping boxes to the middle of the overlap, along its shorter side. */
function part(one: Box, other: Box): void {
  const shared = overlap(one, other);
  if (shared.width === 0 || shared.height === 0) return;
  if (shared.width <= shared.height) {
    const [left, right] =
      one.x + one.width / 2 <= other.x + other.width / 2 ? [one, other] : [other, one];
    const edge = Math.max(left.x, right.x + Math.floor(shared.width / 2));
    const end = Math.max(edge, right.x + right.width);
    left.width = edge - left.x;
    right.x = edge;
    right.width = end - edge;
    return;
  }
  const [upper, lower] =
    one.y + one.height / 2 <= other.y + other.height / 2 ? [one, other] : [other, one];
  const edge = Math.max(upper.y, lower.y + Math.floor(shared.height / 2));
  const end = Math.max(edge, lower.y + lower.height);
  upper.height = edge - upper.y;
  lower.y = edge;
  lower.height = end - edge;
}
