/**
 * Runs the split_image task, which cuts an image into tiles or panels without scaling them. Tiles in a lossy format are
 * encoded again.
 */
import { join } from 'node:path';
import sharp from 'sharp';
import { badRequest } from '../../../../src/core/errors.ts';
import type { OperationFile } from '../operation.ts';
import { checkOutputSize, type Image, openImage, withImageErrors } from './open-image.ts';
import { type Box, inReadingOrder } from './panels/box.ts';
import { findPanels } from './panels/find-panels.ts';
import { ownPages } from './tiff-features.ts';

/** The length in pixels of the longer side of the downscaled image that is searched for gutters. */
const SEARCHED_SIDE = 1000;
const QUALITY = 90;

/** Cuts the image into a grid, into these boxes, or along its gutters. */
export type Cut = { rows: number; cols: number } | { boxes: Box[]; of: Size } | 'gutters';

export interface Size {
  width: number;
  height: number;
}

export interface SplitTask {
  file: OperationFile;
  directory: string;
  cut: Cut;
}

export interface Split {
  parts: { name: string; path: string; size: number }[];
  warnings: string[];
}

export async function splitImage({ file, directory, cut }: SplitTask): Promise<Split> {
  const image = await openImage(file);
  const boxes = await boxesOf(image, cut);
  if (boxes.length === 0) return { parts: [], warnings: [] };
  for (const { width, height } of boxes) checkOutputSize(width, height, 1);
  const { pages: stored = 1, space } = image.metadata;
  const pages = image.kind === 'tiff' ? ownPages(image.bytes, stored).length : stored;
  // Browsers cannot display CMYK, so CMYK pixels are converted. Other pixels remain unchanged and keep their profile.
  const asStored = space !== 'cmyk';
  const source = image.open({ ignoreIcc: asStored });
  if (asStored) source.keepIccProfile();
  if (asStored && space?.endsWith('16')) source.toColorspace(space);
  const bytes = await withImageErrors(file.name, () =>
    source.tiff({ compression: 'none' }).toBuffer(),
  );
  const format = formatOf(image);
  const digits = Math.max(2, String(boxes.length).length);
  const parts: Split['parts'] = [];
  for (const [index, { x, y, width, height }] of boxes.entries()) {
    const number = String(index + 1).padStart(digits, '0');
    const name = `panel-${number}.${format === 'jpeg' ? 'jpg' : format}`;
    const path = join(directory, name);
    const part = sharp(bytes, { ignoreIcc: true, limitInputPixels: false })
      .extract({ left: x, top: y, width, height })
      .keepIccProfile();
    if (space?.endsWith('16') && format === 'png') part.toColorspace(space);
    const encoded =
      format === 'png'
        ? part.png({ compressionLevel: 6, adaptiveFiltering: true })
        : part[format]({ quality: QUALITY });
    const { size } = await withImageErrors(file.name, () => encoded.toFile(path));
    parts.push({ name, path, size });
  }
  const warnings =
    pages > 1 ? [`"${file.name}" has ${pages} pages or frames; only the first was split.`] : [];
  return { parts, warnings };
}

const formatOf = ({ kind }: Image) => (kind === 'jpeg' || kind === 'webp' ? kind : 'png');

async function boxesOf(image: Image, cut: Cut): Promise<Box[]> {
  if (cut === 'gutters') return panelsOf(image);
  if ('boxes' in cut) {
    const boxes = cut.boxes.map((box) => enlarged(box, image, cut.of));
    return inReadingOrder(boxes.flatMap((box) => within(image, box)));
  }
  return grid(image, cut.rows, cut.cols);
}

/** Divides the image into equal tiles. If the pixels cannot be divided evenly, some tiles are one pixel larger. */
function grid({ width, height, name }: Image, rows: number, cols: number): Box[] {
  if (rows > height || cols > width) {
    throw badRequest(
      `"${name}" is ${width} x ${height} pixels, too small for ${cols} columns and ${rows} rows. Choose fewer.`,
      rows > height ? 'rows' : 'cols',
    );
  }
  const edge = (size: number, parts: number, index: number) => Math.round((size * index) / parts);
  return Array.from({ length: rows * cols }, (_, index) => {
    const [row, col] = [Math.floor(index / cols), index % cols];
    const [x, y] = [edge(width, cols, col), edge(height, rows, row)];
    return { x, y, width: edge(width, cols, col + 1) - x, height: edge(height, rows, row + 1) - y };
  });
}

/** Returns the part of a box that is inside the image, in whole pixels. Empty if the box is outside. */
function within(image: Image, box: Box): Box[] {
  const [x, y] = [Math.max(0, Math.round(box.x)), Math.max(0, Math.round(box.y))];
  const width = Math.min(image.width, Math.round(box.x + box.width)) - x;
  const height = Math.min(image.height, Math.round(box.y + box.height)) - y;
  return width > 0 && height > 0 ? [{ x, y, width, height }] : [];
}

async function panelsOf(image: Image): Promise<Box[]> {
  const scale = Math.min(1, SEARCHED_SIDE / Math.max(image.width, image.height));
  const [width, height] = [image.width * scale, image.height * scale].map((side) =>
    Math.max(1, Math.round(side)),
  );
  const { data, info } = await withImageErrors(image.name, () =>
    image
      .open()
      .flatten({ background: '#fff' })
      .resize(width, height, { fit: 'fill' })
      .toColorspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  const panels = findPanels({ data, width: info.width, height: info.height });
  if (panels.length < 2) return [];
  return panels.flatMap((box) => within(image, enlarged(box, image, info)));
}

/** Converts a box from pixels of a downscaled image to pixels of the original image. */
function enlarged(box: Box, to: Image, from: Size): Box {
  const [scaleX, scaleY] = [to.width / from.width, to.height / from.height];
  return {
    x: box.x * scaleX,
    y: box.y * scaleY,
    width: box.width * scaleX,
    height: box.height * scaleY,
  };
}
