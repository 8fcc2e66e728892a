/** Selects the Lucide icons that tool definitions, pages and scripts name. */
import { globSync, readFileSync } from 'node:fs';
import set from '@iconify-json/lucide/icons.json' with { type: 'json' };

const SOURCES = ['src/tools/*/*.ts', 'src/catalogue/*.ts', 'src/site/**/*.tsx'];
const NAMED = /\bicon(?:: '|=")([a-z0-9-]+)['"]|<Icon name="([a-z0-9-]+)"/g;
/** The attributes that all icons share; `Icon` (src/site/design/icon.tsx) sets it once. */
const COMMON =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g;

const lucide: Record<string, { body: string }> = set.icons;

export const isIcon = (name: string): boolean => Object.hasOwn(lucide, name);

/**
 * Returns the shapes inside the `<svg>` of each icon that is used, by name. Throws for a name that
 * Lucide does not have.
 */
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
