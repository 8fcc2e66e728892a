import { describe, expect, it } from 'vitest';
import { writeJson } from './write-json.ts';

async function written(value: unknown): Promise<{ text: string; pauses: number; most: number }> {
  let pauses = 0;
  const blocks = await writeJson(value, async () => {
    pauses += 1;
  });
  const most = Math.max(...blocks.map(({ length }) => length));
  return { text: await new Blob(blocks).text(), pauses, most };
}

const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}\n`, index]));
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

const VALUES: Record<string, unknown> = {
  nothing: null,
  'an empty object': {},
  'a long text': { text: 'a "quoted"\n line\u2028'.repeat(20_000) },
  'a long text of surrogate pairs': { text: `x${'😀'.repeat(100_000)}` },
  'a long text of lone surrogates': { text: '\ud83d'.repeat(100_000) },
  'many small items': { changes: Array.from({ length: 60_000 }, (_, line) => ({ line, a: null })) },
  'many large items': Array(20).fill('ü'.repeat(50_000)),
  'many fields': { ...fields(9000), nothing: undefined },
  'deep arrays': { deep: nested(900), text: 'a'.repeat(100_000) },
  'an own field named __proto__': JSON.parse(`{"__proto__":["${'a'.repeat(100_000)}"]}`),
};

describe('a large JSON value', () => {
  it.each(Object.entries(VALUES))('is serialized like JSON.stringify: %s', async (_, value) => {
    expect((await written(value)).text).toBe(JSON.stringify(value));
  });

  it('is written in pieces, with a pause after each megabyte', async () => {
    const { pauses, most } = await written({
      text: 'a'.repeat(10 * 2 ** 20),
      more: fields(50_000),
    });
    expect(pauses).toBeGreaterThanOrEqual(10);
    expect(most).toBeLessThan(100_000);
  });
});
