import { expect, it } from 'vitest';
import { mostUsed } from '../../catalogue/kinds.ts';
import { TOOLS } from '../../tools/registry.ts';
import { textOf } from '../markup-text.ts';
import type { Site } from '../site.ts';
import { HomePage } from './home-page.tsx';

const baseUrl = 'http://localhost';
const site: Site = {
  request: new Request(baseUrl),
  serviceName: 'Tools',
  baseUrl,
  storageUrl: baseUrl,
  requireSignIn: false,
  isLimited: true,
  theme: 'system',
  path: '/',
};
const listings = new Map(TOOLS.map(({ name }) => [name, { summary: '', tags: [] }]));

it('names a model in a heading only if a tool below it needs one', async () => {
  const headings = async (off: ReadonlySet<string>) => {
    const text = await textOf(<HomePage site={site} listings={listings} off={off} code="" />);
    return [...text.matchAll(/<h3>([^<]+)<\/h3>/g)].map(([, heading]) => heading);
  };
  expect(await headings(new Set())).toContain('Writing, with a model');
  const off = TOOLS.filter(({ model }) => model).map(({ name }) => name);
  expect(await headings(new Set(off))).toContain('Writing');
});

it('has a title and a description that agree with its heading', async () => {
  const text = await textOf(<HomePage site={site} listings={listings} off={new Set()} code="" />);
  const heading = 'veryday tools for files, pages and text';
  expect(text).toContain(`<title>Tools: e${heading}</title>`);
  expect(text).toContain(`<h1>E${heading}</h1>`);
  expect(text).toMatch(new RegExp(`content="\\d+ e${heading}`));
});

it('shows the shortest call of a tool that is on', async () => {
  const callWithout = async (off: ReadonlySet<string>) => {
    const page = <HomePage site={site} listings={listings} off={off} code="" />;
    return /curl -F file=@\S+ -o result\.pdf \\\s+[^<\s]+/.exec(await textOf(page))?.[0];
  };
  const [first, second] = mostUsed();
  expect(await callWithout(new Set())).toContain(`${baseUrl}/api/v1/tools/${first!.name}`);
  expect(await callWithout(new Set([first!.name]))).toContain(`/tools/${second!.name}`);
});

it('says how many free runs the chain uses only where runs are limited', async () => {
  const textWith = (isLimited: boolean) =>
    textOf(<HomePage site={{ ...site, isLimited }} listings={listings} off={new Set()} code="" />);
  const cost = 'a run uses 3 of the 35 free runs an hour';
  expect(await textWith(true)).toContain(cost);
  expect(await textWith(false)).not.toContain(cost);
});
