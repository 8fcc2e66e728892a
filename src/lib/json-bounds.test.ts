import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonExcess, MAX_JSON_DEPTH, MAX_JSON_VALUES, parseBounded } from './json-bounds.ts';

/** Returns the number of values in a parsed value, including the value itself. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1);
}

const list = (values: number, item = '0') => `[${Array(values).fill(item).join(',')}]`;

describe('JSON limits', () => {
  it('count up to 200,000 values of every shape', () => {
    expect(jsonExcess(list(MAX_JSON_VALUES - 1))).toBe(undefined);
    expect(jsonExcess(list(MAX_JSON_VALUES))).toBe('values');
    expect(jsonExcess(list(MAX_JSON_VALUES - 1, '{}'))).toBe(undefined);
    expect(jsonExcess(list(MAX_JSON_VALUES, '{}'))).toBe('values');
    expect(jsonExcess(list(MAX_JSON_VALUES / 2 - 1, '{"a":1}'))).toBe(undefined);
    expect(jsonExcess(list(MAX_JSON_VALUES / 2, '{"a":1}'))).toBe('values');
  });

  it('count fields per object and no items of arrays', () => {
    const fields = (count: number) =>
      `{${Array.from({ length: count }, (_, i) => `"k,{${i}":[0,1,2,3]`).join(',')}}`;
    const excess = (text: string) => jsonExcess(text, MAX_JSON_DEPTH, MAX_JSON_VALUES, 1000);
    expect(excess(fields(1000))).toBe(undefined);
    expect(excess(`[${fields(1000)},${fields(1000)}]`)).toBe(undefined);
    expect(excess(fields(1001))).toBe('fields');
    expect(excess(`{"a":[${fields(1001)}]}`)).toBe('fields');
    expect(excess(list(5000))).toBe(undefined);
    expect(excess(`{"a":${list(5000)},"b":1}`)).toBe(undefined);
  });

  it('count what JSON.parse creates, regardless of strings and whitespace', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const filling = MAX_JSON_VALUES - countValues(value) - 1;
        expect(jsonExcess(`[${text}${',0'.repeat(filling)}]`)).toBe(undefined);
        expect(jsonExcess(`[${text}${',0'.repeat(filling + 1)}]`)).toBe('values');
      }),
      { numRuns: 30 },
    );
  });

  it('read escapes in strings as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[\\"[,a]{0,8}$/)), (texts) => {
        const text = JSON.stringify(texts);
        const filling = MAX_JSON_VALUES - texts.length - 2;
        expect(jsonExcess(`[${text}${',0'.repeat(filling)}]`)).toBe(undefined);
        expect(jsonExcess(`[${text}${',0'.repeat(filling + 1)}]`)).toBe('values');
      }),
      { numRuns: 30 },
    );
  });

  it('count at most 1,000 levels, whether or not the brackets are closed', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(jsonExcess(nested(MAX_JSON_DEPTH))).toBe(undefined);
    expect(jsonExcess(nested(MAX_JSON_DEPTH + 1))).toBe('depth');
    expect(jsonExcess('{"a":'.repeat(MAX_JSON_DEPTH + 1))).toBe('depth');
    expect(jsonExcess(JSON.stringify('[{,'.repeat(MAX_JSON_VALUES)))).toBe(undefined);
    expect(jsonExcess(`"\\"${'['.repeat(5000)}"`)).toBe(undefined);
  });

  it('prevent values beyond them from being created', () => {
    expect(parseBounded('{"a":[1]}')).toEqual({ a: [1] });
    expect(() => parseBounded(list(MAX_JSON_VALUES))).toThrow(SyntaxError);
  });
});
