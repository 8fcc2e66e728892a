/** Selects the Lucide icons that the tool definitions, the catalogue and the pages use. */
import { globSync, readFileSync } from 'node:fs';
import set from '@iconify-json/lucide/icons.json' with { type: 'json' };

const SOURCES = ['src/tools/*/*.ts', 'src/catalogue/*.ts', 'src/site/**/*.tsx'];
const NAMED = /\bicon(?:: '|=")([a-z0-9-]+)['"]|<Icon name="([a-z0-9-]+)"/g;
/**
 * The attributes that all icons share. They are removed here, because `Icon` (src/site/design/icon.tsx) sets them once.
 */
const COMMON =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g;

const lucide: Record<string, { body: string }> = set.icons;

export const isIcon = (name: string): boolean => Object.hasOwn(lucide, name);

/** Returns the SVG content of each icon in use, by name. Throws if Lucide has no icon with a given name. */
export function siteIcons(): Record<string, string> {
  const names = new Set<string>();
  for (const path of globSync(SOURCES)) {
    for (const [, field, element] of readFileSync(path, 'utf8').matchAll(NAMED))
      names.add(field ?? element!);
  }
  return Object.fromEntries(
    [...names].sort().map((name) => {
      if (!isIcon(name)) throw new Error(`Lucide has no icon "${name}": see https://lucide.dev.`);
      return [name, lucide[name]!.body.replace(COMMON, '')];
    }),
  );
}
