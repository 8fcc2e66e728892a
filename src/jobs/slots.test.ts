import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

describe('job slots', () => {
  it('are assigned up to the limit, in order of arrival', () => {
    const slots = new Slots(2, 2);
    expect(['a', 'b', 'c', 'd'].map((id) => slots.take(id, 'ann', 0))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(slots.leave('a', 1)).toEqual(['c']);
    expect(slots.take('e', 'ann', 1)).toBe(false);
    expect(slots.take('d', 'ann', 1)).toBe(false);
    expect(slots.take('c', 'ann', 1)).toBe(true);
    expect(slots.leave('b', 1)).toEqual(['d']);
    expect(slots.leave('d', 1)).toEqual(['e']);
  });

  it('are passed on once: the holder is not woken again and keeps its slot', () => {
    const slots = new Slots(1, 1);
    for (const id of ['a', 'b', 'c']) slots.take(id, 'ann', 0);
    expect(slots.leave('a', 1)).toEqual(['b']);
    expect(slots.leave('none', 2)).toEqual([]);
    expect(slots.take('c', 'ann', 3)).toBe(false);
    expect(slots.take('b', 'ann', 3)).toBe(true);
  });

  it('skip waiting jobs that stopped polling or left', () => {
    const slots = new Slots(1, 1);
    slots.take('a', 'ann', 0);
    slots.take('gone', 'ann', 0);
    slots.take('left', 'ann', 0);
    slots.take('c', 'ann', 150_000);
    expect(slots.leave('left', 150_000)).toEqual([]);
    expect(slots.take('a', 'ann', 190_000)).toBe(true);
    expect(slots.leave('a', 190_000)).toEqual(['c']);
  });

  it('are released when their holder dies without leaving', () => {
    const slots = new Slots(1, 1);
    expect(slots.take('a', 'ann', 0)).toBe(true);
    expect(slots.take('a', 'ann', 60_000)).toBe(true);
    expect(slots.take('b', 'ann', 16 * 60_000)).toBe(false);
    expect(slots.take('b', 'ann', 18 * 60_000)).toBe(true);
  });

  it('are never all assigned to one owner', () => {
    const slots = new Slots(4);
    const jobs = ['a1', 'a2', 'a3', 'a4'];
    expect(jobs.map((id) => slots.take(id, 'ann', 0))).toEqual([true, true, true, false]);
    expect(slots.take('b1', 'bob', 0)).toBe(true);
    expect(slots.leave('b1', 1)).toEqual([]);
    expect(slots.leave('a1', 1)).toEqual(['a4']);
  });

  it('are assigned to the owner with the fewest running jobs, then in order of arrival', () => {
    const slots = new Slots(4);
    for (const id of ['a1', 'a2', 'a3', 'a4', 'a5']) slots.take(id, 'ann', 0);
    for (const id of ['b1', 'b2']) slots.take(id, 'bob', 0);
    slots.take('c1', 'cat', 0);
    expect(slots.leave('a1', 1)).toEqual(['c1']);
    expect(slots.leave('a2', 1)).toEqual(['a4']);
    expect(slots.leave('a3', 1)).toEqual(['a5']);
    expect(slots.leave('a4', 1)).toEqual(['b2']);
  });
});
