/**
 * Limits the work of reading hostile pages. V8 counts the executed blocks. The work must not grow faster than the page
 * size.
 */
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeHtml } from '../src/web/charset.ts';
import { readHead } from '../src/web/html-head.ts';
import { candidatesOf } from '../src/web/icon-candidates.ts';
import { metadataOf } from '../src/web/page-metadata.ts';
import { bytesOf, FAMILIES, hostilePage } from './support/hostile-pages.ts';

const SIZE = 24 * 1024;
const READERS = /\/(src\/(web|lib)|node_modules\/(htmlparser2|entities|chardet))\//;
const ADDRESS = new URL('http://page.test/');
const session = new Session();

beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  // The first read of each family of pages includes one-time work, which is not counted.
  for (const family of Object.keys(FAMILIES)) await read(family, 1000);
});
afterAll(() => session.disconnect());

async function read(family: string, size: number): Promise<void> {
  const { contentType, text } = hostilePage(family, size);
  const html = await decodeHtml(bytesOf(text), contentType);
  const head = await readHead(html, ADDRESS, contentType.includes('xhtml'));
  metadataOf(head, ADDRESS.href, ADDRESS.href);
  candidatesOf(head, ADDRESS, []);
}

/** Returns the number of blocks that are executed to read a page. */
async function stepsOf(family: string, size: number): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  await read(family, size);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => READERS.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}

describe('the work for a hostile page', () => {
  it.each(Object.keys(FAMILIES))('grows at most linearly with the page: %s', async (family) => {
    const once = await stepsOf(family, SIZE);
    const twice = await stepsOf(family, 2 * SIZE);
    expect(once).toBeGreaterThan(100);
    expect(twice).toBeLessThan(2.6 * once + 2000);
    // The limit is 60 blocks per character. It also allows 300 blocks for each of the first 16 KB, in which the
    // encoding is detected.
    expect(twice).toBeLessThan(60 * 2 * SIZE + 300 * 16 * 1024);
  });
});
