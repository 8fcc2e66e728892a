import { describe, expect, it } from 'vitest';
import { modelServer } from '../../test/support/model-server-address.ts';
import type { EgressRequest } from '../core/ports.ts';
import { faviconProxy } from './favicon-proxy.ts';

const { signal } = new AbortController();
const requested: string[] = [];
const egress = {
  agent: 'ToolsMetadataBot',
  exchange: async ({ url }: EgressRequest) => {
    requested.push(url.href);
    return { status: url.pathname === '/none' ? 404 : 200, headers: new Headers(), body: null };
  },
};
const favicons = faviconProxy(
  `${modelServer}/image/{host}`,
  new Map([['icons.test', '127.0.0.1:1']]),
  egress,
);

describe('the favicon service', () => {
  it('is requested at the configured address, which may be on loopback', async () => {
    const address = favicons.addressFor('a.example');
    expect(address).toBe(`${modelServer}/image/a.example`);
    expect((await favicons.fetch(address!, signal)).length).toBeGreaterThan(50);
    expect(requested).toEqual([]);
  });

  it('is requested through guarded egress when tests serve its name', async () => {
    await favicons.fetch('https://icons.test/a.png', signal);
    expect(requested).toEqual(['https://icons.test/a.png']);
    await expect(favicons.fetch('https://icons.test/none', signal)).rejects.toThrow(
      'returned status 404',
    );
  });
});
