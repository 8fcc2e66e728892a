import { describe, expect, it } from 'vitest';
import { containerPools, type Instances } from './media-container.ts';

/** A fake namespace. Its instances return their name, their location hint and the request. */
const namespace: Instances = {
  getByName: (name, options) => ({
    fetch: async ({ method, url }) =>
      new Response(`${name} ${options?.locationHint} ${method} ${url}`),
  }),
};

const answersOf = (pools: ReturnType<typeof containerPools>) =>
  Promise.all(
    pools.flatMap(({ instances }) =>
      instances.map(async (send) =>
        (await send('/operations/x', { method: 'POST', body: 'b' })).text(),
      ),
    ),
  );

describe('media worker containers', () => {
  it('form one pool when no regions are set', async () => {
    const pools = containerPools(namespace, 2, []);
    expect(pools.map(({ region }) => region)).toEqual([undefined]);
    expect(await answersOf(pools)).toEqual([
      'instance-0 undefined POST http://media/operations/x',
      'instance-1 undefined POST http://media/operations/x',
    ]);
  });

  it('are placed in their region', async () => {
    const pools = containerPools(namespace, 1, ['weur', 'enam']);
    expect(pools.map(({ region }) => region)).toEqual(['weur', 'enam']);
    expect(await answersOf(pools)).toEqual([
      'weur-0 weur POST http://media/operations/x',
      'enam-0 enam POST http://media/operations/x',
    ]);
  });
});
