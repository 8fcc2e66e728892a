import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

describe('slots', () => {
  it('are given to as many as may work at once, first come first served', () => {
    const slots = new Slots(2);
    expect(['a', 'b', 'c', 'd'].map((id) => slots.take(id, 0))).toEqual([true, true, false, false]);
    expect(slots.leave('a')).toEqual(['c']);
    expect(slots.take('e', 1)).toBe(false);
    expect(slots.take('d', 1)).toBe(false);
    expect(slots.take('c', 1)).toBe(true);
    expect(slots.leave('b')).toEqual(['d']);
  });

  it('do not wait for one that has not asked again, nor for one that has left', () => {
    const slots = new Slots(1);
    slots.take('a', 0);
    slots.take('gone', 0);
    slots.take('left', 0);
    slots.take('c', 150_000);
    slots.leave('left');
    expect(slots.leave('a')).toEqual(['gone']);
    expect(slots.take('c', 190_000)).toBe(true);
  });

  it('are free again when who had one asks anew, or has died without leaving', () => {
    const slots = new Slots(1);
    expect(slots.take('a', 0)).toBe(true);
    expect(slots.take('b', 60_000)).toBe(false);
    expect(slots.take('a', 61_000)).toBe(false);
    expect(slots.take('b', 62_000)).toBe(true);
    expect(slots.take('c', 15 * 60_000)).toBe(false);
    expect(slots.take('c', 18 * 60_000)).toBe(true);
  });
});
