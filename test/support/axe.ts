/** What axe finds wrong on a page as it is now, in both themes. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Finding = [rule: string, selectors: string[]];

/** Of the whole page, or of the part at `place`. Another theme changes colours, so in the second only those are judged. */
export async function violationsOf(page: Page, selector?: string): Promise<Finding[]> {
  // Over the debugging protocol, which the policy of the pages does not touch.
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: 'light' });
  const findings = await judge(page, selector, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  const colours = { runOnly: { type: 'rule' as const, values: ['color-contrast'] } };
  return [...findings, ...(await judge(page, selector, colours))];
}

async function judge(
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
