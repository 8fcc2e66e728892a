/** Draws the site's images with the compress_image operation. An image is drawn on first use and cached for 30 days. */
import { memoryFile } from '../../core/input-file.ts';
import type { AppContext } from '../../http.ts';

const CACHE_SECONDS = 30 * 86_400;

/** Draws the SVG as a PNG of this size. The cache key contains the SVG, so that a changed SVG is drawn again. */
export async function drawPng(
  c: AppContext,
  svg: string,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const { cache, media } = c.env.services.ports;
  const key = `image ${width} ${height} ${svg}`;
  const cached = await cache.get(key);
  if (cached) return cached;
  const file = memoryFile('image.svg', new TextEncoder().encode(svg), 'image/svg+xml');
  const parameters = { format: 'png', width, height, quality: 1 };
  const { body } = await media.run('compress_image', parameters, [file], c.req.raw.signal);
  const png = new Uint8Array(await new Response(body).arrayBuffer());
  await cache.put(key, png, CACHE_SECONDS);
  return png;
}
