import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { calculatePercentage } from './calculate_percentage.ts';

const calculate = async (operation: unknown, value1: unknown, value2: unknown) =>
  (await runTool(calculatePercentage, { operation, value1, value2 })).value;

describe('calculate_percentage', () => {
  it('of: returns value1 percent of value2', async () => {
    expect(await calculate('of', 20, 50)).toEqual({ operation: 'of', result: 10 });
  });

  it('increase: raises value1 by value2 percent', async () => {
    expect(await calculate('increase', 200, 15)).toEqual({ operation: 'increase', result: 230 });
  });

  it('decrease: reduces value1 by value2 percent', async () => {
    expect(await calculate('decrease', 200, 15)).toEqual({ operation: 'decrease', result: 170 });
  });

  it('change: returns the percentage change from value1 to value2 with its unit', async () => {
    expect(await calculate('change', 50, 75)).toEqual({
      operation: 'change',
      result: 50,
      unit: 'percent',
    });
    expect((await calculate('change', 75, 50)).result).toBe(-33.333333333333336);
  });

  it('calculates in decimals: 0.1 raised by 10 percent is 0.11', async () => {
    expect((await calculate('increase', 0.1, 10)).result).toBe(0.11);
    expect((await calculate('of', 7, 1.1)).result).toBe(0.077);
    expect((await calculate('decrease', 0.3, 10)).result).toBe(0.27);
    expect((await calculate('change', 0.1, 0.3)).result).toBe(200);
  });

  it('does not round', async () => {
    expect((await calculate('of', 12.345678901, 0.987654321)).result).toBe(0.1219326311225118);
    expect((await calculate('change', 3, 1)).result).toBe(-66.66666666666667);
  });

  it('measures a change from a negative value1 consistently with increase and decrease', async () => {
    expect((await calculate('increase', -10, 50)).result).toBe(-15);
    expect((await calculate('change', -10, -15)).result).toBe(50);
  });

  it('rejects a change from 0 and from -0', async () => {
    for (const zero of [0, -0]) {
      await expect(calculate('change', zero, 5)).rejects.toMatchObject({
        status: 400,
        param: 'value1',
      });
    }
  });

  it('warns of numbers that are not exact, and of a change from a negative number', async () => {
    const warningsOf = async (value1: number, value2: number) =>
      (await runTool(calculatePercentage, { operation: 'change', value1, value2 })).warnings;
    expect(await warningsOf(1e20, 5)).toEqual([expect.stringContaining('16 exact digits')]);
    expect(await warningsOf(-50, 50)).toEqual([expect.stringContaining('is negative')]);
    expect(await warningsOf(50, -50)).toEqual([]);
  });

  it('returns 0, never -0', async () => {
    expect(Object.is((await calculate('of', -5, 0)).result, 0)).toBe(true);
    expect(Object.is((await calculate('increase', -0, 5)).result, 0)).toBe(true);
    expect(Object.is((await calculate('change', -5, -5)).result, 0)).toBe(true);
  });

  it('accepts the extremes of a double', async () => {
    expect((await calculate('of', 100, 1e308)).result).toBe(1e308);
    expect((await calculate('of', 1e308, 5e-324)).result).toBe(5e-18);
    expect((await calculate('increase', 1e308, 5e-324)).result).toBe(1e308);
    expect((await calculate('increase', 5e-324, 1e308)).result).toBe(5e-18);
    expect((await calculate('change', 1e308, 5e-324)).result).toBe(-100);
  });

  it('rejects a result outside the number range instead of returning Infinity or 0', async () => {
    for (const [operation, value1, value2] of [
      ['increase', 1.7e308, 100],
      ['of', -1e308, 1e308],
      ['change', 5e-324, 1e308],
      ['of', 5e-324, 1],
    ] as const) {
      await expect(calculate(operation, value1, value2)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('outside the range'),
      });
    }
  });

  it('rejects an unknown operation and lists the four valid ones', async () => {
    for (const operation of ['OF', 'sum', '', null, undefined, 1]) {
      await expect(calculate(operation, 1, 2)).rejects.toMatchObject({
        status: 400,
        param: 'operation',
      });
    }
    await expect(calculate('sum', 1, 2)).rejects.toThrow(
      'must be "of", "increase", "decrease" or "change", not "sum".',
    );
  });

  it('rejects values that are missing, not finite or numeric strings', async () => {
    for (const bad of [undefined, null, '5', Number.POSITIVE_INFINITY, Number.NaN, [1]]) {
      await expect(calculate('of', bad, 1)).rejects.toMatchObject({ status: 400, param: 'value1' });
      await expect(calculate('of', 1, bad)).rejects.toMatchObject({ status: 400, param: 'value2' });
    }
  });
});
