import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openForbidden } from '../../test/support/upstream.ts';
import { targetOf } from './guarded-fetch.ts';

/** A DNS resolver's responses, by name. Each lookup returns the next response, and the last response is repeated. */
const records: Record<string, string[][]> = {
  'public.test': [['1.1.1.1']],
  'two.test': [['1.1.1.1', '1.0.0.1']],
  'six.test': [['2606:4700::1111']],
  'private.test': [['10.0.0.1']],
  'loopback.test': [['127.0.0.1']],
  'mixed.test': [['1.1.1.1', '192.168.0.1']],
  'mapped.test': [['::ffff:7f00:1']],
  'rebinding.test': [['1.1.1.1'], ['127.0.0.1']],
  'nonsense.test': [['not an address']],
};
const requested: string[] = [];
const resolver = createServer((request, response) => {
  const query = new URL(request.url ?? '', 'http://x').searchParams;
  const name = query.get('name') ?? '';
  const type = query.get('type') === 'AAAA' ? 28 : 1;
  if (type === 1) requested.push(name);
  const turns = records[name];
  const answers = (turns && turns.length > 1 && type === 28 ? turns.shift() : turns?.[0]) ?? [];
  const fitting = answers.filter((data) => data.includes(':') === (type === 28));
  response.setHeader('Content-Type', 'application/dns-json');
  response.end(
    JSON.stringify({
      Status: turns ? 0 : 3,
      Answer: [{ type: 5, data: 'alias.test' }, ...fitting.map((data) => ({ type, data }))],
    }),
  );
});

let dnsOverHttpsUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => resolver.listen(0, '127.0.0.1', resolve));
  dnsOverHttpsUrl = `http://127.0.0.1:${(resolver.address() as AddressInfo).port}/dns-query`;
});
afterAll(() => resolver.close());

const signal = new AbortController().signal;
const target = (url: string, hosts: [string, string][] = []) =>
  targetOf(new URL(url), { hosts: new Map(hosts), dnsOverHttpsUrl }, signal);

/** Returns the addresses to which a request would connect. */
async function connectsTo(url: string): Promise<string[]> {
  const { connection } = await target(url);
  return new Promise((resolve, reject) => {
    connection.lookup?.(connection.host as string, { all: true }, (error, addresses) =>
      error
        ? reject(error)
        : resolve((addresses as { address: string }[]).map(({ address }) => address)),
    );
  });
}

describe('the guarded fetch', () => {
  it('connects to the addresses that it checked', async () => {
    expect(await connectsTo('https://public.test/')).toEqual(['1.1.1.1']);
    expect(await connectsTo('https://two.test/')).toEqual(['1.1.1.1', '1.0.0.1']);
    expect(await connectsTo('http://six.test:8080/')).toEqual(['2606:4700::1111']);
  });

  it('resolves a name once, so that DNS rebinding has no effect', async () => {
    requested.length = 0;
    const { connection } = await target('http://rebinding.test/');
    for (let time = 0; time < 3; time += 1) {
      connection.lookup?.('rebinding.test', { all: false }, (_, address) => {
        expect(address).toBe('1.1.1.1');
      });
    }
    expect(requested).toEqual(['rebinding.test']);
    await expect(target('http://rebinding.test/')).rejects.toMatchObject({ status: 400 });
  });

  it('refuses a name if any of its addresses is private', async () => {
    for (const name of ['private', 'loopback', 'mixed', 'mapped', 'nonsense']) {
      await expect(target(`http://${name}.test/`)).rejects.toMatchObject({ status: 400 });
    }
  });

  it('returns 502 if a name does not resolve, and 503 if the resolver does not respond', async () => {
    await expect(target('http://unknown.test/')).rejects.toMatchObject({ status: 502 });
    const broken = { hosts: new Map(), dnsOverHttpsUrl: 'http://127.0.0.1:9/' };
    await expect(targetOf(new URL('http://public.test/'), broken, signal)).rejects.toMatchObject({
      status: 503,
    });
  });

  it('uses the requested name for TLS', async () => {
    const { secure, connection } = await target('https://public.test/');
    expect([secure, connection.servername, connection.port]).toEqual([true, 'public.test', 443]);
  });

  it('serves test hosts from loopback over plain HTTP for every scheme and port', async () => {
    for (const url of ['http://page.test/', 'https://page.test:22/', 'https://PAGE.test./']) {
      expect(await target(url, [['page.test', '127.0.0.1:9100']])).toEqual({
        secure: false,
        connection: { host: '127.0.0.1', port: '9100' },
      });
    }
  });

  it('reaches no listener on the forbidden network through the system resolver', async () => {
    const forbidden = await openForbidden();
    const settings = { hosts: new Map<string, string>(), dnsOverHttpsUrl: undefined };
    for (const host of [
      'localhost',
      '127.0.0.1',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
    ]) {
      const url = new URL(`http://${host}:${forbidden.port}/`);
      await expect(targetOf(url, settings, signal)).rejects.toMatchObject({ status: 400 });
    }
    expect(forbidden.connections()).toBe(0);
    await forbidden.close();
  });

  it('refuses to start with test hosts if it listens beyond loopback', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'server.ts')],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          MEDIA_SECRET: 'x',
          HOST: '0.0.0.0',
          EGRESS_HOSTS: '{"a.test":"127.0.0.1:1"}',
        },
      },
    );
    expect([status, stderr]).toEqual([1, expect.stringMatching(/EGRESS_HOSTS is for tests/)]);
  });
});
