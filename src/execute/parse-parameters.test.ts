import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool } from '../core/define-tool.ts';
import type { ToolError } from '../core/errors.ts';
import { calculatePercentage } from '../tools/calculate_percentage/calculate_percentage.ts';
import { compressImage } from '../tools/compress_image/compress_image.ts';
import { encodeBase64 } from '../tools/encode_base64/encode_base64.ts';
import { findTool } from '../tools/find-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { splitPdf } from '../tools/split_pdf/split_pdf.ts';
import { parseParameters } from './parse-parameters.ts';

const tool = encodeBase64 as unknown as Tool;
const isTwenty = (details: unknown[]) => details.length === 20;

describe('parameter validation', () => {
  it('ignores unknown parameters with a single warning', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, 1]));
    const { parameters, warnings } = parseParameters(tool, { text: 'x', ...many }, false);
    expect(parameters).toEqual({ text: 'x' });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /no parameter "p0", "p1".* and 9995 more, which were ignored\. It takes "text"\./,
    );
  });

  it('names ignored parameters in the error about a missing one', () => {
    const misplaced = '"params" was ignored.';
    expect(() => parseParameters(tool, { txt: 'x' }, false, [misplaced])).toThrow(
      'The parameter "text" is missing. Send a string, such as "Hello, world!". "params" was ignored. ' +
        'encode_base64 has no parameter "txt", which was ignored. It takes "text".',
    );
    expect(() => parseParameters(tool, { text: 1, txt: 'x' }, false)).toThrow(/^(?!.*txt)/);
  });

  it('rejects unknown parameters on a strict surface', () => {
    expect(() => parseParameters(tool, { text: 'x', txt: 'y' }, true)).toThrow(
      /no parameter "txt"/,
    );
  });

  it('has an item limit for every array parameter', () => {
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

  it('reports the first 20 of many invalid items', () => {
    const ranges = { ranges: Array(1000).fill(1) };
    const parse = () => parseParameters(findTool('split_pdf')!, ranges, false);
    expect(parse).toThrow(expect.objectContaining({ details: expect.toSatisfy(isTwenty) }));
  });

  it('reports missing parameters with their type and an example', () => {
    expect(() => parseParameters(tool, {}, false)).toThrow(
      'The parameter "text" is missing. Send a string, such as "Hello, world!".',
    );
  });

  it('reports missing parameters with their allowed values', () => {
    const percentage = calculatePercentage as unknown as Tool;
    expect(() => parseParameters(percentage, { value1: 1, value2: 2 }, false)).toThrow(
      'The parameter "operation" is missing. Send "of", "increase", "decrease" or "change".',
    );
    expect(() => parseParameters(percentage, { operation: null }, false)).toThrow(
      'The parameter "operation" must be "of", "increase", "decrease" or "change", not null.',
    );
  });

  it.each([
    ['image', { quality: 5 }, 'The parameter "quality" must be a number from 0.1 to 1, not 5.'],
    ['image', { width: 0 }, 'The parameter "width" must be an integer of at least 1, not 0.'],
    ['image', { grayscale: 1 }, 'The parameter "grayscale" must be true or false, not 1.'],
    [
      'split',
      { ranges: [] },
      'The parameter "ranges" must be an array of 1 to 1,000 strings, but has 0.',
    ],
    ['split', { ranges: [7] }, 'The parameter "ranges.0" must be a string, not 7.'],
  ] as const)(
    'reports invalid parameters of %s with the expected value: %j',
    (name, given, message) => {
      const tools = { image: compressImage, split: splitPdf };
      expect(() => parseParameters(tools[name] as unknown as Tool, given, false)).toThrow(message);
    },
  );

  const VALUES = [null, 5, -1e9, 1e9, 1.5, '', 'x', 'x'.repeat(20_001), true, [], [5], {}];
  const PARAMETERS = TOOLS.flatMap((tool) =>
    Object.keys(tool.input.shape).map((name) => [tool.name, name, tool] as const),
  );
  it.each(PARAMETERS)('reports a plain message for %s: %s', (_, name, tool) => {
    for (const value of [undefined, ...VALUES]) {
      let message = '';
      try {
        parseParameters(tool, { [name]: value }, false);
      } catch (error) {
        const { param, details, message: first } = error as ToolError;
        const findings = (details ?? [{ param, message: first }]) as {
          param: string;
          message: string;
        }[];
        message = findings.find((finding) => finding.param === name)?.message ?? '';
      }
      if (message === '') continue;
      expect(message).toMatch(
        /^The parameter "[\w.]+" (must be .+, (not|but has) .+\.|is missing\. Send .+\.|is invalid\. [A-Z].+\.)$/,
      );
      expect(message).not.toMatch(/Invalid|expected|undefined|another value|\|/);
    }
  });
});
