import { describe, expect, it } from 'vitest';
import { capValue } from './cap-value.ts';

const MAX_TOKENS = 6000;
const size = (value: unknown) => JSON.stringify(value).length;

describe('capValue', () => {
  it('keeps a value within the limit whole', () => {
    const value = { text: 'hello', list: [1, 'two', { three: null }] };
    expect(capValue(value, MAX_TOKENS)).toEqual({ value, truncated: false });
  });

  it('keeps short fields before long ones, in their original order', () => {
    const capped = capValue({ text: 'word '.repeat(50_000), words: 50_000 }, MAX_TOKENS);
    expect(capped.truncated).toBe(true);
    expect(Object.keys(capped.value)).toEqual(['text', 'words']);
    expect(capped.value.words).toBe(50_000);
  });

  it('keeps a short text whole or drops it', () => {
    const changes = Array.from({ length: 99 }, () => ({
      change: 'added',
      at: '2026-01-01T00:00:00Z',
    }));
    for (let most = 1; most < 99; most++) {
      const { value } = capValue({ changes }, most);
      for (const { change = 'added', at = changes[0]!.at } of (value.changes ??
        []) as typeof changes)
        expect({ change, at }).toEqual(changes[0]);
    }
  });

  it('keeps a file in a data URI whole or drops it', () => {
    const small = { dataUrl: `data:image/png;base64,${'QUFB'.repeat(10)}`, size: 1 };
    expect(capValue(small, MAX_TOKENS)).toEqual({ value: small, truncated: false });
    const large = { dataUrl: `data:image/png;base64,${'Q3xF'.repeat(50_000)}`, size: 1 };
    expect(capValue(large, MAX_TOKENS)).toEqual({ value: { size: 1 }, truncated: true });
  });

  it.each([
    [
      'an object with many fields',
      Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n}`, n])),
    ],
    [
      'fields with long names',
      Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${'n'.repeat(50_000)}`, n])),
    ],
    ['one long word', { text: 'a'.repeat(3_000_000) }],
    ['spaces', { text: ' '.repeat(3_000_000) }],
    ['an array of arrays', { list: Array.from({ length: 50_000 }, () => [[], [1]]) }],
  ])('returns within the size limit: %s', (_, value) => {
    const { value: retained, truncated } = capValue(value, MAX_TOKENS);
    expect(truncated).toBe(true);
    expect(size(retained)).toBeLessThan(500_000);
  });

  it('does not walk a nested value again at every level', () => {
    let value: Record<string, unknown> = { text: 'word '.repeat(600_000) };
    for (let level = 0; level < 490; level++) value = { value };
    const started = performance.now();
    expect(capValue(value, MAX_TOKENS).truncated).toBe(true);
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
