import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FairStart, FairStarts } from './fair-starts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Records the order in which queued requests start, and completes requests by name. */
function recorded() {
  const slots = new FairStarts();
  const started: string[] = [];
  const entered = new Map<string, FairStart>();
  const enter = (network: string, name: string) =>
    entered.set(
      name,
      slots.enter(network, () => started.push(name)),
    );
  return {
    started,
    enter,
    answer: (name: string) => entered.get(name)!.responded(),
    leave: (name: string) => entered.get(name)!.end(),
  };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => String(index));

it('a request of another network starts after at most one of each waiting network', () => {
  const { started, enter, answer } = recorded();
  for (const name of many(64)) {
    enter('a', `a${name}`);
    enter('b', `b${name}`);
  }
  expect(started).toHaveLength(32);
  enter('c', 'c');
  answer('a0');
  answer('b0');
  answer('a1');
  expect(started.slice(32).sort()).toEqual(['a16', 'b16', 'c']);
});

it('a new network starts after at most one other, however many networks wait', () => {
  const { started, enter, answer } = recorded();
  for (const name of many(100)) enter(name, name);
  enter('new', 'new');
  answer('0');
  answer('1');
  expect(started).toContain('new');
  for (let index = 2; index < started.length; index++) answer(started[index]!);
  expect(started).toHaveLength(101);
});

it('a network with many requests is new only until its first one starts', () => {
  const { started, enter, answer } = recorded();
  for (const name of many(32)) enter('a', name);
  for (const name of many(10)) enter(`b${name}`, `b${name}`);
  for (const name of many(10)) enter('c', `c${name}`);
  for (const name of many(11)) answer(name);
  expect(started.slice(32).filter((name) => name.startsWith('c'))).toHaveLength(1);
});

it('every request starts once, and those that disconnect while waiting never start', () => {
  const { started, enter, leave } = recorded();
  const names = many(200);
  for (const name of names) enter(`network ${Number(name) % 7}`, name);
  for (const name of names.slice(100, 150)) leave(name);
  for (let index = 0; index < started.length; index++) leave(started[index]!);
  expect(started.toSorted()).toEqual([...names.slice(0, 100), ...names.slice(150)].toSorted());
});

it('a burst of long computations keeps its slots, however slow the machine is', () => {
  const { started, enter, answer } = recorded();
  for (const name of many(200)) enter('a', name);
  for (let next = 0; next < 20; next++) {
    vi.advanceTimersByTime(240);
    answer(started[next]!);
  }
  expect(started).toHaveLength(32 + 20);
});

it('requests that wait for something else free their slots once later ones are answered', () => {
  const { started, enter, answer } = recorded();
  for (const name of many(31)) enter('a', `waits ${name}`);
  for (const name of many(33)) {
    enter('b', name);
    answer(name);
  }
  const before = started.length;
  for (const name of many(32)) enter('c', `c${name}`);
  expect(started).toHaveLength(before + 32);
});

it('while every request waits, one more starts every 250 ms', () => {
  const { started, enter } = recorded();
  for (const name of many(40)) enter('a', name);
  expect(started).toHaveLength(32);
  vi.advanceTimersByTime(249);
  expect(started).toHaveLength(32);
  vi.advanceTimersByTime(1);
  expect(started).toHaveLength(33);
  vi.advanceTimersByTime(250);
  expect(started).toHaveLength(34);
});
