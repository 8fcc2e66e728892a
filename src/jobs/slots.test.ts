import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

describe('job slots', () => {
  it('are assigned up to the limit, in order of arrival', () => {
    const slots = new Slots(2);
    expect(['a', 'b', 'c', 'd'].map((id) => slots.take(id, 0))).toEqual([true, true, false, false]);
    expect(slots.leave('a', 1)).toEqual(['c']);
    expect(slots.take('e', 1)).toBe(false);
    expect(slots.take('d', 1)).toBe(false);
    expect(slots.take('c', 1)).toBe(true);
    expect(slots.leave('b', 1)).toEqual(['d']);
    expect(slots.leave('d', 1)).toEqual(['e']);
  });

  it('are passed on once: the holder is not woken again and keeps its slot', () => {
    const slots = new Slots(1);
    for (const id of ['a', 'b', 'c']) slots.take(id, 0);
    expect(slots.leave('a', 1)).toEqual(['b']);
    expect(slots.leave('none', 2)).toEqual([]);
    expect(slots.take('c', 3)).toBe(false);
    expect(slots.take('b', 3)).toBe(true);
  });

  it('skip waiting jobs that stopped polling or left', () => {
    const slots = new Slots(1);
    slots.take('a', 0);
    slots.take('gone', 0);
    slots.take('left', 0);
    slots.take('c', 150_000);
    expect(slots.leave('left', 150_000)).toEqual([]);
    expect(slots.take('a', 190_000)).toBe(true);
    expect(slots.leave('a', 190_000)).toEqual(['c']);
  });

  it('are released when their holder dies without leaving', () => {
    const slots = new Slots(1);
    expect(slots.take('a', 0)).toBe(true);
    expect(slots.take('a', 60_000)).toBe(true);
    expect(slots.take('b', 16 * 60_000)).toBe(false);
    expect(slots.take('b', 18 * 60_000)).toBe(true);
  });
});
