/** Which of libvips' decoders a process may use: it reads hostile files, and none of it is needed twice. */
import sharp from 'sharp';

/** Blocks all decoders but these, by libvips' names (`Jpeg`), which then read bytes only: a path would let an SVG reach what lies beside it. */
export function allowLoaders(...loaders: readonly string[]): void {
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders.map((loader) => `VipsForeignLoad${loader}Buffer`) });
}
