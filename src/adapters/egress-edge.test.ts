import { afterEach, describe, expect, it, vi } from 'vitest';
import { EdgeEgress } from './egress-edge.ts';

const RESOLVER = 'https://dns.example/dns-query';
const signal = new AbortController().signal;
const egress = new EdgeEgress('ToolsMetadataBot', RESOLVER);

/**
 * Simulates a network in which every name resolves to these addresses and every page responds. Returns the requests.
 */
function network(...addresses: string[]): { url: string; redirect?: string }[] {
  const requested: { url: string; redirect?: string }[] = [];
  vi.stubGlobal('fetch', async (url: URL, init?: RequestInit) => {
    requested.push({ url: url.href, redirect: init?.redirect });
    if (!url.href.startsWith(RESOLVER)) return new Response('page');
    const type = url.searchParams.get('type') === 'AAAA' ? 28 : 1;
    const fitting = addresses.filter((data) => data.includes(':') === (type === 28));
    return Response.json({ Status: 0, Answer: fitting.map((data) => ({ type, data })) });
  });
  return requested;
}

afterEach(() => vi.unstubAllGlobals());

describe('egress at the edge', () => {
  it('resolves IPv4 and IPv6 addresses, and fetches without following redirects', async () => {
    const requested = network('1.1.1.1', '2606:4700::1111');
    const url = new URL('https://example.com/page');
    expect((await egress.exchange({ url }, signal)).status).toBe(200);
    expect(requested).toEqual([
      { url: `${RESOLVER}?name=example.com&type=A` },
      { url: `${RESOLVER}?name=example.com&type=AAAA` },
      { url: 'https://example.com/page', redirect: 'manual' },
    ]);
  });

  it('resolves a name once per unit of work', async () => {
    const requested = network('1.1.1.1');
    const fetchAll = (within: object) =>
      Promise.all(
        ['https://example.com/', 'http://example.com/a', 'https://example.com:8443/b'].map((url) =>
          egress.exchange({ url: new URL(url), within }, signal),
        ),
      );
    const lookUps = () => requested.filter((one) => one.url.startsWith(RESOLVER)).length;
    const work = {};
    await fetchAll(work);
    await fetchAll(work);
    expect([lookUps(), requested.length]).toEqual([2, 8]);
    await fetchAll({});
    expect(lookUps()).toBe(4);
  });

  it('stops when the caller disconnects during a lookup, and returns 503 if the resolver times out', async () => {
    const leaving = new AbortController();
    vi.stubGlobal('fetch', async (_: URL, { signal: limit }: { signal: AbortSignal }) => {
      leaving.abort();
      await vi.waitUntil(() => limit.aborted, { timeout: 120_000 });
      throw limit.reason;
    });
    const url = new URL('https://example.com/');
    const hasty = new EdgeEgress('ToolsMetadataBot', RESOLVER, 300);
    const failure = await hasty.exchange({ url }, leaving.signal).catch((error: unknown) => error);
    expect(failure).toBe(leaving.signal.reason);
    await expect(hasty.exchange({ url }, signal)).rejects.toMatchObject({ status: 503 });
  });

  it('does not cache failed lookups or names with private addresses', async () => {
    const work = {};
    const fetchOnce = () =>
      egress.exchange({ url: new URL('https://example.com/'), within: work }, signal);
    network('10.0.0.1');
    await expect(fetchOnce()).rejects.toMatchObject({ status: 400 });
    network();
    await expect(fetchOnce()).rejects.toMatchObject({ status: 502 });
    network('1.1.1.1');
    expect((await fetchOnce()).status).toBe(200);
  });

  it('returns 400 without fetching if any address of the name is private', async () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '::1',
      'fd00::1',
      '::ffff:7f00:1',
    ]) {
      const requested = network('1.1.1.1', address);
      const url = new URL('https://example.com/');
      await expect(egress.exchange({ url }, signal)).rejects.toMatchObject({ status: 400 });
      expect(requested.filter((one) => !one.url.startsWith(RESOLVER))).toEqual([]);
    }
  });

  it('returns 400 without a lookup for private addresses and disallowed ports', async () => {
    const requested = network('1.1.1.1');
    for (const text of [
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://localhost/',
      'http://example.com:22/',
    ]) {
      const url = new URL(text);
      await expect(egress.exchange({ url }, signal)).rejects.toMatchObject({ status: 400 });
    }
    expect(requested).toEqual([]);
  });

  it('returns 502 without fetching if either lookup fails, because fetch resolves the name again', async () => {
    const fetched: string[] = [];
    for (const failing of ['A', 'AAAA']) {
      vi.stubGlobal('fetch', async (url: URL) => {
        if (!url.href.startsWith(RESOLVER)) fetched.push(url.href);
        return url.searchParams.get('type') === failing
          ? Response.json({ Status: 2 })
          : Response.json({ Status: 0, Answer: [{ type: 1, data: '1.1.1.1' }] });
      });
      const failure = egress.exchange({ url: new URL('https://example.com/') }, signal);
      await expect(failure).rejects.toMatchObject({
        status: 502,
        message: 'The DNS lookup of example.com failed. Try again.',
      });
    }
    expect(fetched).toEqual([]);
  });

  it('returns 502 for a name without an address', async () => {
    network();
    const url = new URL('https://nowhere.example/');
    await expect(egress.exchange({ url }, signal)).rejects.toMatchObject({ status: 502 });
  });
});
