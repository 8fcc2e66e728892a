/** Draws and encodes an image as compress_image would. It runs in a worker, because encoding takes seconds. */

export interface PreviewJob {
  file: Blob;
  /** The parameters of compress_image that differ from their defaults. */
  parameters: Record<string, unknown>;
}

export interface Drawn {
  blob: Blob;
  /** In pixels. */
  width: number;
  height: number;
}

/** Returns the encoded image, or undefined if this browser cannot encode it. Throws if it cannot decode the file. */
export async function drawnImage({ file, parameters }: PreviewJob): Promise<Drawn | undefined> {
  const { format = 'webp', quality = 0.9, grayscale = false } = parameters;
  const image = await createImageBitmap(file);
  const { width, height } = sizeOf(image, parameters);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  if (format === 'jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
  }
  if (grayscale) {
    // Safari has no filters.
    if (!('filter' in context)) return undefined;
    context.filter = 'grayscale(1)';
  }
  const scale = Math.max(width / image.width, height / image.height);
  const [drawnWidth, drawnHeight] = [image.width * scale, image.height * scale];
  const [left, top] = [(width - drawnWidth) / 2, (height - drawnHeight) / 2];
  context.drawImage(image, left, top, drawnWidth, drawnHeight);
  const type = `image/${format}`;
  const blob = await canvas.convertToBlob({ type, quality: quality as number });
  // A browser without an encoder for the format returns a PNG.
  return blob.type === type ? { blob, width, height } : undefined;
}

/**
 * Returns the size of the result in pixels. If both sides are set and `keepAspectRatio` is false, the image is cropped
 * to them.
 */
function sizeOf(image: ImageBitmap, parameters: PreviewJob['parameters']) {
  const { width, height, keepAspectRatio = false } = parameters as Record<string, number>;
  if (width && height && !keepAspectRatio) return { width, height };
  const fit = Math.min((width ?? Infinity) / image.width, (height ?? Infinity) / image.height);
  const scale = fit === Infinity ? 1 : fit;
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(image.width), height: scaled(image.height) };
}
