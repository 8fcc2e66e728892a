import { describe, expect, it } from 'vitest';
import type { Block, BlockKind, Snapshot } from '../core/moderation.ts';
import { Blocks, networkIn } from './blocks.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const KEY = { id: 3, secret: 'secret', createdAt: NOW };

const block = (kind: BlockKind, value: string, expiresAt: number | null = null): Block => ({
  kind,
  value,
  note: 'spam',
  createdAt: NOW,
  expiresAt,
});

/** Returns a `Blocks` object whose list and clock the test controls, together with its background work. */
function blocksOf(list: Block[], makerKeys = [KEY]) {
  const state = {
    snapshot: { blocks: list, makerKeys, changedKeys: [] } as Snapshot | Error,
    now: NOW,
    reads: 0,
    background: [] as Promise<void>[],
  };
  const blocks = new Blocks(
    async () => {
      state.reads += 1;
      if (state.snapshot instanceof Error) throw state.snapshot;
      return state.snapshot;
    },
    (work) => state.background.push(work),
    undefined,
    () => state.now,
  );
  return { state, blocks };
}

async function refusal(list: Block[], address: string): Promise<unknown> {
  const { blocks } = blocksOf(list);
  await blocks.ensureRecent();
  try {
    blocks.refuseAddress(address);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a block', () => {
  it.each([
    ['203.0.113.7/32', '203.0.113.7', true],
    ['203.0.113.7/32', '::ffff:203.0.113.7', true],
    ['203.0.113.7/32', '203.0.113.8', false],
    ['203.0.113.0/24', '203.0.113.200', true],
    ['2001:db8:1:2::/64', '2001:db8:1:2:3:4:5:6', true],
    ['2001:db8:1:2::/64', '2001:db8:1:3::1', false],
    ['2001:db8::/32', '203.0.113.7', false],
    ['203.0.113.0/24', 'unknown', false],
    ['203.0.113.0/24', '', false],
  ])('of network %s matches address %s: %s', async (network, address, isBlocked) => {
    const error = await refusal([block('network', network)], address);
    expect(error !== undefined).toBe(isBlocked);
  });

  it('returns 403 bad_request for an address, with the expiry and where to object', async () => {
    const error = await refusal([block('network', '203.0.113.7/32', NOW + 60_000)], '203.0.113.7');
    expect(error).toMatchObject({
      status: 403,
      code: 'bad_request',
      message:
        'The operator blocked this address until 2026-11-21T12:01Z. To object, see /contact.',
    });
  });

  it('returns 403 invalid_key for a key or an account', async () => {
    const { blocks } = blocksOf([block('key', 'k1'), block('account', 'ann')]);
    await blocks.ensureRecent();
    const key = {
      kind: 'persistent',
      requestsPerDay: 1,
      tokensPerMonth: 1,
      bytesPerDay: 1,
    } as const;
    const address = '203.0.113.7';
    const refused = { status: 403, code: 'invalid_key' };
    for (const caller of [
      { address, key: { id: 'k1', ...key }, accountId: 'bob' },
      { address, key: { id: 'k2', ...key }, accountId: 'ann' },
      { address, accountId: 'ann' },
    ]) {
      expect(() => blocks.refuseKnown(caller)).toThrow(expect.objectContaining(refused));
    }
    blocks.refuseKnown({ address, key: { id: 'k2', ...key }, accountId: 'bob' });
  });

  it('of a maker matches only the caller whose files carry that name', async () => {
    const { blocks, state } = blocksOf([]);
    await blocks.ensureRecent();
    const [ann, network] = [{ address: '', accountId: 'ann' }, { address: '2001:db8::1' }];
    const names = [blocks.makerOf(ann)!, blocks.makerOf(network)!];
    expect(names[0]).toMatch(/^account\.3\.[\w-]{22}$/);
    expect(names[1]).toMatch(/^address\.3\.[\w-]{22}$/);
    state.snapshot = {
      blocks: names.map((name) => block('maker', name)),
      makerKeys: [KEY],
      changedKeys: [],
    };
    await blocks.reload();
    expect(() => blocks.refuseKnown({ address: '192.0.2.1', accountId: 'ann' })).toThrow('account');
    // This address is in the same /64 network.
    expect(() => blocks.refuseAddress('2001:db8::2')).toThrow('address');
    blocks.refuseKnown({ address: '192.0.2.1', accountId: 'bob' });
    blocks.refuseAddress('2001:db8:0:1::1');
  });

  it('ends at its expiry without reloading the list', async () => {
    const { blocks, state } = blocksOf([
      block('network', '203.0.113.7/32', NOW + 10_000),
      block('host', 'bad.example', NOW + 10_000),
    ]);
    await blocks.ensureRecent();
    expect(() => blocks.refuseAddress('203.0.113.7')).toThrow();
    state.now += 10_000;
    blocks.refuseAddress('203.0.113.7');
    expect(blocks.blocksHost('bad.example')).toBe(false);
    expect(state.reads).toBe(1);
  });

  it.each([
    ['bad.example', true],
    ['www.bad.example', true],
    ['bad.example.', true],
    ['notbad.example', false],
    ['example', false],
  ])('of host bad.example matches links to %s: %s', async (host, isBlocked) => {
    const { blocks } = blocksOf([block('host', 'bad.example')]);
    await blocks.ensureRecent();
    expect(blocks.blocksHost(host)).toBe(isBlocked);
  });
});

describe('the block list', () => {
  it('is read once, then reloaded in the background every 30 seconds', async () => {
    const { blocks, state } = blocksOf([]);
    await blocks.ensureRecent();
    state.now += 29_999;
    expect(blocks.ensureRecent()).toBeUndefined();
    expect(state.reads).toBe(1);
    state.snapshot = {
      blocks: [block('network', '203.0.113.7/32')],
      makerKeys: [],
      changedKeys: [],
    };
    state.now += 1;
    expect(blocks.ensureRecent()).toBeUndefined();
    expect(blocks.ensureRecent()).toBeUndefined();
    expect(state.background).toHaveLength(1);
    await Promise.all(state.background);
    expect(state.reads).toBe(2);
    expect(() => blocks.refuseAddress('203.0.113.7')).toThrow();
  });

  it('is reloaded before the first call after a pause, so it is never over a minute old', async () => {
    const { blocks, state } = blocksOf([]);
    await blocks.ensureRecent();
    state.now += 50_000;
    state.snapshot = {
      blocks: [block('network', '203.0.113.7/32')],
      makerKeys: [],
      changedKeys: [],
    };
    await blocks.ensureRecent();
    expect(() => blocks.refuseAddress('203.0.113.7')).toThrow();
  });

  it('is reloaded when the platform cancelled the request that was reloading it', async () => {
    const { blocks, state } = blocksOf([]);
    await blocks.ensureRecent();
    state.now += 30_000;
    blocks.ensureRecent();
    state.background.length = 0;
    // Simulates a background read that the platform has cancelled.
    state.now += 20_000;
    expect(blocks.ensureRecent()).toBeInstanceOf(Promise);
  });

  it('keeps its entries while it cannot be read and retries in the background every 5 seconds', async () => {
    const { blocks, state } = blocksOf([block('network', '203.0.113.7/32')]);
    await blocks.ensureRecent();
    state.now += 60_000;
    state.snapshot = new Error('D1 is down');
    await blocks.ensureRecent();
    expect(() => blocks.refuseAddress('203.0.113.7')).toThrow();
    expect(blocks.ensureRecent()).toBeUndefined();
    expect(state.reads).toBe(2);
    state.now += 5000;
    expect(blocks.ensureRecent()).toBeUndefined();
    expect(state.reads).toBe(3);
    state.snapshot = { blocks: [], makerKeys: [], changedKeys: [] };
    await Promise.all(state.background);
    state.now += 10_000;
    expect(blocks.ensureRecent()).toBeUndefined();
    await Promise.all(state.background);
    blocks.refuseAddress('203.0.113.7');
  });
});

describe('networkIn', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['2001:db8:ffff::/32', '2001:db8::/32'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.7/95', null],
    ['7', null],
    ['203.0.113', null],
    ['203.0.113.7/33', null],
    ['bad.example', null],
    ['', null],
  ])('parses %s as %s', (text, network) => {
    expect(networkIn(text)).toBe(network);
  });
});
