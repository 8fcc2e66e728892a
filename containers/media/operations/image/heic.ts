/** Decodes HEVC images (HEIC, HEIF) with libheif, because libvips cannot decode them. */
import type { Metadata } from 'sharp';
import { rawTiff } from './raw-tiff.ts';

/**
 * Returns the primary image with its color profile and with its orientation applied. Check the size first, because
 * decoding uses as much memory as the declared size requires. Throws Error if the image cannot be decoded.
 */
export async function decodeHeic(bytes: Buffer, metadata: Metadata): Promise<Buffer<ArrayBuffer>> {
  // The library is loaded on first use, because loading takes a tenth of a second.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  const images = new libheif.HeifDecoder().decode(bytes);
  const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
  if (!image) throw new Error('it contains no image');
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > metadata.width * metadata.height)
    throw new Error('its sizes are inconsistent');
  const data = new Uint8ClampedArray(width * height * 4);
  await new Promise<void>((resolve, reject) => {
    image.display({ data, width, height }, (filled) =>
      filled ? resolve() : reject(new Error('its HEVC data is damaged')),
    );
  });
  const rgba = new Uint8Array(data.buffer, 0, data.length);
  const channels = metadata.hasAlpha ? 4 : 3;
  return rawTiff(
    metadata.hasAlpha ? rgba : withoutAlpha(rgba),
    width,
    height,
    channels,
    metadata.icc,
  );
}

/** Converts RGBA to RGB in place. */
function withoutAlpha(rgba: Uint8Array): Uint8Array {
  let to = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    rgba[to++] = rgba[at] ?? 0;
    rgba[to++] = rgba[at + 1] ?? 0;
    rgba[to++] = rgba[at + 2] ?? 0;
  }
  return rgba.subarray(0, to);
}
