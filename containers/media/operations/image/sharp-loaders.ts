/** Restricts libvips's decoders in a process that reads untrusted files. */
import sharp from 'sharp';

/**
 * Blocks all decoders except the given ones, which are identified by their libvips names, such as `Jpeg`. The allowed
 * decoders accept only bytes, because an SVG opened by its path could include neighboring files.
 */
export function allowLoaders(...loaders: readonly string[]): void {
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders.map((loader) => `VipsForeignLoad${loader}Buffer`) });
}
