import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { unlimitedStorage } from '../../../test/support/unlimited-storage.ts';
import { CachedResults } from '../../adapters/cached-results.ts';
import { R2Cache } from '../../adapters/r2-cache.ts';
import type { EgressPort } from '../../core/ports.ts';
import { fetchPageMetadata } from './fetch_page_metadata.ts';

/** Returns a fake upstream that serves these pages from memory. test/web tests real requests over HTTP. */
function upstream(pages: Record<string, string>): EgressPort & { requested: string[] } {
  const requested: string[] = [];
  return {
    agent: 'ToolsMetadataBot',
    requested,
    exchange: async ({ url }) => {
      requested.push(url.href);
      const { status, headers, body } = new Response(pages[url.href], {
        headers: { 'Content-Type': 'text/html' },
      });
      return { status, headers, body };
    },
  };
}

describe('fetch_page_metadata', () => {
  it('requests a page once for each spelling of its URL', async () => {
    const egress = upstream({ 'https://example.com/': '<title>Example</title>' });
    const ports = { egress, results: new CachedResults(new R2Cache(env.FILES, unlimitedStorage)) };
    const read = async (url: string) =>
      (await runTool(fetchPageMetadata, { url }, { ports })).value;
    const first = await read('example.com');
    expect(first).toMatchObject({
      url: 'https://example.com',
      title: 'Example',
      icons: [],
      cached: false,
    });
    expect(await read('example.com')).toEqual({ ...first, cached: true });
    expect(await read('https://example.com/')).toMatchObject({ cached: false });
    expect(egress.requested).toEqual(['https://example.com/', 'https://example.com/']);
  });

  it('returns what its output schema describes', async () => {
    const egress = upstream({
      'https://example.com/x': '<title>Example</title><meta name=author content=A>',
    });
    const ports = { egress, results: new CachedResults(new R2Cache(env.FILES, unlimitedStorage)) };
    const { value } = await runTool(fetchPageMetadata, { url: 'https://example.com/x' }, { ports });
    expect(fetchPageMetadata.output?.strict().parse(value)).toEqual(value);
  });
});
