/**
 * Counts execution steps instead of measuring time. V8 counts the executions of each block. Calls of some built-in
 * functions that read or copy strings or arrays (see `countLengths`) are counted by length. Regular expressions are not
 * counted, because regular-expressions.test.ts checks them.
 */
import { Session } from 'node:inspector/promises';

interface Coverage {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

const session = new Session();

/**
 * Starts counting. Must be called before the code is loaded, because V8 counts only code that is compiled afterwards.
 */
export async function startCounting(): Promise<void> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

export function stopCounting(): void {
  session.disconnect();
}

/** Returns the number of steps in one run, even if the run throws an error. */
export async function stepsOf(run: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  const lengths = countLengths();
  try {
    await run();
  } catch {
    // The error is expected, because the code may reject its input.
  } finally {
    lengths.stop();
  }
  const { result } = (await session.post('Profiler.takePreciseCoverage')) as Coverage;
  const blocks = result
    .filter(({ url }) => url.includes('/src/') && !url.includes('.test.'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
  return blocks + lengths.sum();
}

/** Replaces built-in functions with versions that add up the lengths of the strings and arrays that they read. */
function countLengths() {
  let total = 0;
  const restore: (() => void)[] = [];
  const wrap = (
    owner: object,
    name: string,
    cost: (self: never, given: unknown[], got: unknown) => number,
  ) => {
    const own = Object.getOwnPropertyDescriptor(owner, name)!;
    const original = own.value as (...given: unknown[]) => unknown;
    Object.defineProperty(owner, name, {
      ...own,
      value(this: never, ...given: unknown[]) {
        const got = Reflect.apply(original, this, given);
        total += cost(this, given, got);
        return got;
      },
    });
    restore.push(() => Object.defineProperty(owner, name, own));
  };
  const bytes = Object.getPrototypeOf(Uint8Array.prototype) as object;
  wrap(bytes, 'slice', (_, __, got) => (got as Uint8Array).length);
  wrap(bytes, 'set', (_, [source]) => (source as ArrayLike<number>).length);
  for (const name of ['indexOf', 'includes']) {
    wrap(String.prototype, name, (self: string, given, got) => {
      const from = Number(given[1] ?? 0);
      return (typeof got === 'number' && got >= 0 ? got : self.length) - from;
    });
  }
  for (const name of ['split', 'replaceAll', 'toLowerCase', 'normalize']) {
    wrap(String.prototype, name, (self: string) => self.length);
  }
  return {
    sum: () => total,
    stop: () => {
      for (const each of restore) each();
    },
  };
}
