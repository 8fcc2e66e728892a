import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILIES } from '../support/hostile-pages.ts';
import { type HostileSite, openHostileSite, pathOf } from '../support/hostile-site.ts';

let site: HostileSite;
beforeAll(async () => {
  site = await openHostileSite({});
}, 180_000);
afterAll(() => site.close());

describe.each(['fetch_page_metadata', 'fetch_site_logo'] as const)('%s', (tool) => {
  it.each(Object.keys(FAMILIES))(
    'reads four concurrent 5 MB pages while other calls succeed: %s',
    async (family) => {
      const paths = [1, 2, 3, 4].map((time) => `${pathOf(family)}?${time}`);
      const attacks = paths.map((path) => ({ tool, path }));
      const { answers, memory, others } = await site.attack(attacks);
      expect(memory).toBeLessThan(300);
      expect(others.length).toBeGreaterThan(1);
      expect(new Set(others)).toEqual(new Set([200]));
      for (const { status, body } of answers) {
        expect(status).toBe(200);
        expect(JSON.stringify(body).length).toBeLessThan(2 ** 20);
      }
    },
    120_000,
  );
});
