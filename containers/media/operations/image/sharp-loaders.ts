/** Restricts libvips' decoders in a process that reads hostile files. */
import sharp from 'sharp';

/**
 * Blocks all decoders except these, by libvips' names (`Jpeg`), and for these allows bytes only: a path would let an
 * SVG reach neighboring files.
 */
export function allowLoaders(...loaders: readonly string[]): void {
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders.map((loader) => `VipsForeignLoad${loader}Buffer`) });
}
