import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FairStarts } from './fair-starts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Enters requests, records the order of their starts, and ends them by name. */
function recorded() {
  const slots = new FairStarts();
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (network: string, name: string) =>
    ends.set(
      name,
      slots.enter(network, () => started.push(name)),
    );
  return { started, enter, end: (name: string) => ends.get(name)!() };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => String(index));

it('a request of another network starts after at most one of each network that waits', () => {
  const { started, enter, end } = recorded();
  for (const name of many(64)) {
    enter('a', `a${name}`);
    enter('b', `b${name}`);
  }
  expect(started).toHaveLength(32);
  enter('c', 'c');
  end('a0');
  end('b0');
  end('a1');
  expect(started.slice(32).sort()).toEqual(['a16', 'b16', 'c']);
});

it('every request starts once, and those that leave while they wait never do', () => {
  const { started, enter, end } = recorded();
  const names = many(200);
  for (const name of names) enter(`network ${Number(name) % 7}`, name);
  for (const name of names.slice(100, 150)) end(name);
  for (let index = 0; index < started.length; index++) end(started[index]!);
  expect(started.toSorted()).toEqual([...names.slice(0, 100), ...names.slice(150)].toSorted());
});

it('requests that wait for something else do not keep others from starting', () => {
  const { started, enter } = recorded();
  for (const name of many(40)) enter('a', name);
  expect(started).toHaveLength(32);
  vi.advanceTimersByTime(999);
  expect(started).toHaveLength(32);
  vi.advanceTimersByTime(2);
  expect(started).toHaveLength(40);
});
