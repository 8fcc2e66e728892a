import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parametersSchema } from '../../catalogue/json-schema.ts';
import type { Tool } from '../../core/define-tool.ts';
import { decodeJwt } from '../../tools/decode_jwt/decode_jwt.ts';
import { TOOLS } from '../../tools/registry.ts';
import { fieldsOf, pageFieldsOf } from './fields.ts';
import { valueIn } from './value-in.ts';

const fieldsFor = (input: z.ZodObject, form: Tool['form'] = {}) =>
  fieldsOf({ input, form } as unknown as Tool);

describe('a parameter’s form field', () => {
  it('offers choices as strings, or as numbers if the values are numbers', () => {
    const fields = fieldsFor(
      z.strictObject({ format: z.enum(['png', 'webp']), angle: z.literal([90, 180, 270]) }),
    );
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['format', 'choice'],
      ['angle', 'number'],
    ]);
  });

  it('has the label and hint of the definition', () => {
    const [before, json] = fieldsFor(
      z.strictObject({ text1: z.string(), json: z.string(), delayMs: z.int() }),
      { text1: { label: 'Before', rows: 10 } },
    );
    expect(before).toMatchObject({ label: 'Before', rows: 10 });
    expect(json).toMatchObject({ label: 'JSON', rows: 1 });
  });

  it('follows the order of the form and is omitted if the parameter has no effect', () => {
    const input = z.strictObject({ a: z.string(), b: z.string(), c: z.string(), d: z.string() });
    const fields = fieldsFor(input, { c: {}, a: { isHidden: true }, b: { isAdvanced: true } });
    expect(fields.map(({ name }) => name)).toEqual(['c', 'b', 'd']);
  });

  it('starts with the form’s initial value and omits API defaults from the call', () => {
    const [field] = fieldsFor(z.strictObject({ quality: z.number().default(0.9) }), {
      quality: { initial: 0.8 },
    });
    expect(field).toMatchObject({ initial: '0.8', standard: '0.9' });
    expect(valueIn(field!, '0.8', false)).toBe(0.8);
    expect(valueIn(field!, '0.9', false)).toBeUndefined();
  });

  it('takes a decimal comma, unless the comma could group digits', () => {
    const [field] = fieldsFor(z.strictObject({ value: z.number() }));
    const sent = (text: string) => valueIn(field!, text, false);
    expect(['12,5', ' -0,125 ', '1234,567', '12.5'].map(sent)).toEqual([
      12.5, -0.125, 1234.567, 12.5,
    ]);
    expect(['1,500', '1,2,3'].map(sent)).toEqual(['1,500', '1,2,3']);
  });

  it('marks the example in an empty field as an example', () => {
    const input = z.strictObject({ text: z.string(), width: z.int(), ranges: z.array(z.string()) });
    const tool = {
      input,
      form: { text: { rows: 6 } },
      example: { parameters: { width: 1200, ranges: ['1-3', '5'], text: 'a\nb' } },
    };
    const fields = fieldsOf(tool as unknown as Tool);
    expect(fields.map(({ placeholder }) => placeholder)).toEqual([
      ...['For example:\na\nb', 'e.g. 1200', 'e.g. 1-3'],
    ]);
  });

  it('accepts an address without a scheme', () => {
    const [field] = fieldsFor(z.strictObject({ url: z.string() }), { url: { control: 'address' } });
    const sent = (text: string) => valueIn(field!, text, false);
    expect(sent('example.com/a?b=c://d')).toBe('https://example.com/a?b=c://d');
    expect(sent(' localhost:8080 ')).toBe('https://localhost:8080');
    expect(sent('http://example.com')).toBe('http://example.com');
    expect(sent('ftp://example.com')).toBe('ftp://example.com');
    expect(sent('')).toBe('');
  });
});

describe('the form of every tool', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    '%s uses plain words without API terms',
    (_, tool) => {
      const fields = fieldsOf(tool as Tool);
      const words = fields.flatMap(({ label, hint, choices }) => [
        ...[label, hint],
        ...choices.map(([, name]) => name),
      ]);
      for (const text of words) {
        expect(text).not.toMatch(/as a string|clamped|entry|payload|ignored|\b(true|false)\b/i);
      }
    },
  );

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    '%s refers only to existing parameters and values',
    (_, tool) => {
      const { form = {}, input: own, pageInput } = tool as Tool;
      const input = own.safeExtend(pageInput?.shape ?? {});
      for (const [name, { choices, initial }] of Object.entries(form)) {
        const schema = input.shape[name] as z.ZodType;
        expect(Object.keys(input.shape)).toContain(name);
        const { type } = parametersSchema({ ...(tool as Tool), input }).properties![name]!;
        const isNumber = type === 'number' || type === 'integer';
        const values = Object.keys(choices ?? {}).map((value) =>
          isNumber ? Number(value) : type === 'array' ? value.split('\n') : value,
        );
        for (const value of [...values, ...(initial === undefined ? [] : [initial])]) {
          expect(schema.parse(value)).toEqual(value);
        }
      }
    },
  );

  it('has the fields that only the page has', () => {
    const page = pageFieldsOf(decodeJwt as Tool);
    expect(page.map(({ name, isPageOnly }) => [name, isPageOnly])).toEqual([
      ['token', false],
      ['key', true],
    ]);
    expect(fieldsOf(decodeJwt as Tool).map(({ name }) => name)).toEqual(['token']);
  });
});
