/** Finds the links of an SVG to other files. The linked files are not loaded, so the drawing lacks them. */
import type { Image } from './open-image.ts';

/** Matches the start of an element that displays the target of its link. The `<` has been removed. */
const SHOWS_LINK = /^(?:[\w-]+:)?(?:image|use|feImage)\s/;
/** Matches a link, except to a part of the same drawing or to data inside it. */
const OTHER_FILE = /\bhref\s*=\s*["'](?!\s*(?:#|data:|["']))/i;

/** Warns if an SVG shows other files. */
export function missingFiles({ kind, name, original }: Image): string[] {
  if (kind !== 'svg') return [];
  const tags = original.toString('utf8').split('<');
  if (!tags.some((tag) => SHOWS_LINK.test(tag) && OTHER_FILE.test(tag.split('>', 1)[0]!)))
    return [];
  return [`"${name}" links to other files, which are not loaded. Embed them in the SVG.`];
}
