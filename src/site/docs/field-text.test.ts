import { describe, expect, it } from 'vitest';
import type { RequestField } from '../../core/reference.ts';
import { fieldValue, kindOf, textOf } from './field-text.ts';

const field = (type: string, control: RequestField['control'], others = {}): RequestField => ({
  name: 'a',
  type,
  control,
  isRequired: false,
  ...others,
});

describe('the text of a field', () => {
  it.each([
    ['number', 0.5],
    ['json', ['1-3', '5']],
    ['json', [{ tool: 'hash_text', parameters: { text: 'a'.repeat(80) } }]],
    ['json', false],
    ['text', '12'],
    ['text', 'one\ntwo'],
    ['whole-text', ''],
  ] as const)('returns the value as %s: %j', (kind, value) => {
    expect(fieldValue(kind, textOf(value, kind))).toEqual(value);
  });

  it.each(['number', 'json', 'text'] as const)('is omitted as %s if it is empty', (kind) => {
    expect(fieldValue(kind, '')).toBeUndefined();
  });

  it('is kept if it is a required text that may be empty', () => {
    expect(kindOf(field('string', 'line', { mayBeEmpty: true }))).toBe('whole-text');
    expect(kindOf(field('string', 'choice', { mayBeEmpty: true }))).toBe('text');
    expect(kindOf(field('boolean', 'choice'))).toBe('json');
  });

  it('is refused if it should be JSON and is not', () => {
    expect(() => fieldValue('json', '1-3')).toThrow(SyntaxError);
  });
});
