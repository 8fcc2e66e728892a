import { describe, expect, it } from 'vitest';
import { toContainer } from './media-container.ts';

/** Instances with these numbers of requests; returns which one gets a call, and how many were queried. */
async function send(loads: number[]) {
  let requested = 0;
  const send = toContainer({
    getByName: (name) => ({
      load: async () => {
        requested += 1;
        return loads[Number(name.replace('instance-', ''))] ?? 0;
      },
      fetch: async (request) => new Response(`${name} ${request.method} ${request.url}`),
    }),
  });
  const response = await send('/operations/x', { method: 'POST', body: 'b' });
  const [name, method, url] = (await response.text()).split(' ');
  return { name, method, url, requested };
}

describe('the containers of the media worker', () => {
  it('take a call by the first that has a core free, so that the others can sleep', async () => {
    expect(await send([0, 0, 0])).toEqual({
      name: 'instance-0',
      method: 'POST',
      url: 'http://media/operations/x',
      requested: 1,
    });
    expect(await send([1, 0])).toMatchObject({ name: 'instance-0', requested: 1 });
    expect(await send([2, 3, 1, 0])).toMatchObject({ name: 'instance-2', requested: 3 });
  });

  it('take it by the one with the fewest where all are busy', async () => {
    expect(await send([5, 4, 3, 4, 5])).toMatchObject({ name: 'instance-2', requested: 5 });
  });
});
