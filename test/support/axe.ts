/** Returns axe's findings on the current page, in both themes. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified version, because every page parses it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = [rule: string, selectors: string[]];

/**
 * Checks the whole page, or the part at `selector`. Themes change only colors, so the second run checks only those.
 */
export async function violationsOf(page: Page, selector?: string): Promise<Finding[]> {
  // The script is injected through the debugging protocol, which the pages' content security policy
  // does not affect.
  await page.evaluate(AXE);
  await page.emulateMedia({ colorScheme: 'light' });
  const findings = await check(page, selector, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  const colors = { runOnly: { type: 'rule' as const, values: ['color-contrast'] } };
  return [...findings, ...(await check(page, selector, colors))];
}

async function check(
  page: Page,
  selector: string | undefined,
  options: axe.RunOptions,
): Promise<Finding[]> {
  const { violations } = await page.evaluate(
    ([where, given]) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(where ?? document, {
        ...given,
        resultTypes: ['violations'],
      }),
    [selector, options] as const,
  );
  return violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]);
}
