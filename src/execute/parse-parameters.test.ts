import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool } from '../core/define-tool.ts';
import { calculatePercentage } from '../tools/calculate_percentage/calculate_percentage.ts';
import { encodeBase64 } from '../tools/encode_base64/encode_base64.ts';
import { findTool } from '../tools/find-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { parseParameters } from './parse-parameters.ts';

const tool = encodeBase64 as unknown as Tool;
const isTwenty = (details: unknown[]) => details.length === 20;

describe('parameters', () => {
  it('that are unknown are ignored with one warning, however many they are', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, 1]));
    const { parameters, warnings } = parseParameters(tool, { text: 'x', ...many }, false);
    expect(parameters).toEqual({ text: 'x' });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/no parameter "p0", "p1".* and 9995 more\. It takes: text\./);
  });

  it('that are unknown are refused where the door is strict', () => {
    expect(() => parseParameters(tool, { text: 'x', txt: 'y' }, true)).toThrow(
      /no parameter "txt"/,
    );
  });

  it('that are arrays have a maximum of items, so that no more of them are checked', () => {
    const arrays = TOOLS.flatMap(({ name, input }) =>
      Object.entries(z.toJSONSchema(input, { io: 'input' }).properties ?? {})
        .filter(([, schema]) => JSON.stringify(schema).includes('"array"'))
        .map(([parameter, schema]) => ({ parameter: `${name}.${parameter}`, schema })),
    );
    expect(arrays.length).toBeGreaterThan(1);
    for (const { schema } of arrays) {
      expect(schema).toMatchObject({ type: 'array', maxItems: expect.any(Number) });
    }
  });

  it('with many invalid items are refused with the first 20 findings', () => {
    const ranges = { ranges: Array(1000).fill(1) };
    const parse = () => parseParameters(findTool('split_pdf')!, ranges, false);
    expect(parse).toThrow(expect.objectContaining({ details: expect.toSatisfy(isTwenty) }));
  });

  it('that are missing are named with what they mean', () => {
    expect(() => parseParameters(tool, {}, false)).toThrow(
      'The parameter "text" is missing from "parameters". The text to encode.',
    );
  });

  it('that are missing are called missing also where they are one of several words', () => {
    const percentage = calculatePercentage as unknown as Tool;
    expect(() => parseParameters(percentage, { value1: 1, value2: 2 }, false)).toThrow(
      'The parameter "operation" is missing from "parameters".',
    );
    expect(() => parseParameters(percentage, { operation: null }, false)).toThrow(
      'The parameter "operation" is invalid',
    );
  });
});
