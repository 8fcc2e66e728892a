import { expect, it } from 'vitest';
import { textOf } from '../markup-text.ts';
import type { Site } from '../site.ts';
import { ChainPage } from './chain-page.tsx';
import { TEMPLATES } from './templates.ts';

const baseUrl = 'http://localhost';
const site: Site = {
  request: new Request(`${baseUrl}/chains`),
  serviceName: 'Tools',
  baseUrl,
  storageUrl: baseUrl,
  requireSignIn: false,
  isLimited: true,
  theme: 'system',
  path: '/chains',
};

it('offers only templates whose tools are not switched off on this server', async () => {
  const namesWith = async (off: ReadonlySet<string>) => {
    const text = await textOf(<ChainPage site={site} steps={[]} off={off} />);
    return [...text.matchAll(/data-try="([^"]+)"/g)].map(([, name]) => name);
  };
  expect(await namesWith(new Set())).toEqual(TEMPLATES.map(({ name }) => name));
  const { name, steps } = TEMPLATES[0]!;
  const offered = await namesWith(new Set([steps.at(-1)!.tool.name]));
  expect(offered.length).toBeGreaterThan(0);
  expect(offered).not.toContain(name);
});
