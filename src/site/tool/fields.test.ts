import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool } from '../../core/define-tool.ts';
import { fieldsOf } from './fields.ts';

const fieldsFor = (input: z.ZodObject, form: Tool['form'] = {}) =>
  fieldsOf({ input, form } as unknown as Tool);

describe('the field of a parameter', () => {
  it('is a choice of strings, but a number where the values are numbers', () => {
    const fields = fieldsFor(
      z.strictObject({ format: z.enum(['png', 'webp']), angle: z.literal([90, 180, 270]) }),
    );
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['format', 'choice'],
      ['angle', 'number'],
    ]);
  });

  it('has the label and the lines that the definition gives it', () => {
    const [before, json] = fieldsFor(
      z.strictObject({ text1: z.string(), json: z.string(), delayMs: z.int() }),
      { text1: { label: 'Before', rows: 10 } },
    );
    expect(before).toMatchObject({ label: 'Before', rows: 10 });
    expect(json).toMatchObject({ label: 'JSON', rows: 1 });
  });
});
