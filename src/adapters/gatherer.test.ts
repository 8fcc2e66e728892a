import { describe, expect, it } from 'vitest';
import { Gatherer } from './gatherer.ts';

describe('Gatherer', () => {
  it('writes everything that arrived within a second in one batch', async () => {
    const written: number[][] = [];
    const gatherer = new Gatherer<number>(
      'numbers',
      async (items) => void written.push([...items]),
    );
    for (const item of [1, 2, 3]) gatherer.add(item);
    expect(written).toEqual([]);
    await expect.poll(() => written).toEqual([[1, 2, 3]]);
  });

  it('writes immediately on flush, and nothing twice', async () => {
    const written: number[][] = [];
    const gatherer = new Gatherer<number>(
      'numbers',
      async (items) => void written.push([...items]),
    );
    gatherer.add(1);
    await gatherer.flush();
    await scheduler.wait(1200);
    expect(written).toEqual([[1]]);
  });

  it('waits on flush for a write that has begun', async () => {
    const written: number[] = [];
    const begun = Promise.withResolvers<void>();
    const gatherer = new Gatherer<number>(
      'numbers',
      async (items) => {
        begun.resolve();
        await scheduler.wait(100);
        written.push(...items);
      },
      1,
    );
    gatherer.add(1);
    await begun.promise;
    await gatherer.flush();
    expect(written).toEqual([1]);
  });

  it('retries a failed batch with the next one', async () => {
    const written: number[][] = [];
    let fails = true;
    const gatherer = new Gatherer<number>('numbers', async (items) => {
      if (fails) throw new Error('down');
      written.push([...items]);
    });
    gatherer.add(1);
    await gatherer.flush();
    fails = false;
    gatherer.add(2);
    await gatherer.flush();
    expect(written).toEqual([[1, 2]]);
  });
});
