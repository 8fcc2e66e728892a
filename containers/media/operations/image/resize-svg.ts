/**
 * Changes the size declared on an SVG's root element, for drawings in physical units and for drawings that are too long
 * or too thin to be drawn at any density.
 */
import { svgRootOffset } from '../../../../src/lib/image-kind.ts';

const ATTRIBUTE = /\s([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')/g;
const TAG = /^<[\w.:-]+(?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*/;

/**
 * Returns the SVG with this size in units. `natural` is the drawing's current size in units. If the proportions differ,
 * the content is distorted. Returns undefined if the root element cannot be parsed.
 */
export function resizedSvg(
  bytes: Buffer,
  size: { width: number; height: number },
  natural: { width: number; height: number },
): Buffer<ArrayBuffer> | undefined {
  const text = bytes.toString('utf8');
  const start = svgRootOffset(text);
  const tag = start < 0 ? undefined : TAG.exec(text.slice(start))?.[0];
  if (!tag) return undefined;
  const attributes = new Map<string, string>();
  for (const [, name = '', value = ''] of tag.matchAll(ATTRIBUTE)) attributes.set(name, value);
  if (!attributes.has('viewBox')) {
    attributes.set('viewBox', `"0 0 ${natural.width} ${natural.height}"`);
  }
  attributes.set('width', `"${size.width}"`).set('height', `"${size.height}"`);
  attributes.set('preserveAspectRatio', '"none"');
  const [name] = /^<[\w.:-]+/.exec(tag) ?? [''];
  const list = [...attributes].map(([key, value]) => `${key}=${value}`).join(' ');
  return Buffer.from(`${text.slice(0, start)}${name} ${list}${text.slice(start + tag.length)}`);
}
