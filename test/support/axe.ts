/** Runs axe on a page in both themes, and returns its findings. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified version is used, because the browser parses it on every page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = [rule: string, elements: string[]];

/**
 * Checks the whole page, or the element that `selector` matches. The themes differ only in colors, so only the contrast
 * is checked in the second one.
 */
export async function violationsOf(page: Page, selector?: string): Promise<Finding[]> {
  // The script is injected over the debugging protocol, because the content security policy of the pages does not apply
  // there.
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
