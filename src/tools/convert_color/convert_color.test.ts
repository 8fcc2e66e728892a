import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { convertColorHere } from './in-browser.ts';

const convert = (color: string, background?: string) =>
  runTool(convertColorHere, background === undefined ? { color } : { color, background });

describe('convert_color', () => {
  it.each([
    '#0a6454',
    '0A6454',
    'rgb(10, 100, 84)',
    'rgb(10 100 84)',
    'RGB(10, 100, 84)',
    '#0a6454;',
    'color: #0a6454;',
    '--brand-color : rgb(10 100 84) ;',
  ])('reads %s', async (color) => {
    expect((await convert(color)).value).toEqual({
      Hex: '#0a6454',
      RGB: 'rgb(10, 100, 84)',
      HSL: 'hsl(169.33, 81.82%, 21.57%)',
      OKLCH: 'oklch(0.4511 0.0812 176.2303)',
      Contrast: '7.08:1, enough for all text (AAA)',
    });
  });

  it.each([
    ['red', 'hsl(0, 100%, 50%)'],
    ['teal', 'hsl(180, 100%, 25.1%)'],
    ['blue', 'hsl(240, 100%, 50%)'],
    ['hsl(180, 100%, 25%)', 'hsl(180, 100%, 25%)'],
    ['HSL(180DEG 100% 25%)', 'hsl(180, 100%, 25%)'],
    ['hsl(400 50% 50%)', 'hsl(40, 50%, 50%)'],
    ['hsl(-20 50% 50%)', 'hsl(340, 50%, 50%)'],
    ['rgb(300 0 0)', 'hsl(0, 100%, 50%)'],
    ['hsl(0 150% 50%)', 'hsl(0, 100%, 50%)'],
  ])('returns %s as %s', async (color, wanted) => {
    expect((await convert(color)).value.HSL).toBe(wanted);
  });

  it('returns the transparency', async () => {
    expect((await convert('rgb(255 0 0 / 50%)')).value).toMatchObject({
      Hex: '#ff000080',
      RGB: 'rgba(255, 0, 0, 0.5)',
    });
  });

  it('returns the contrast with a background', async () => {
    expect((await convert('#777', 'background: White;')).value.Contrast).toBe(
      '4.47:1, enough for large text only',
    );
    expect((await convert('white', 'black')).value.Contrast).toMatch(/^21.00:1/);
    expect((await convert('rgb(51 102 153 / 0.1)', 'white')).value.Contrast).toMatch(/^1.1\d:1/);
  });

  it('reports that a color is outside sRGB and returns the closest one', async () => {
    const { value, warnings } = await convert('oklch(0.7 0.4 150)');
    expect(value.OKLCH).toBe('oklch(0.7 0.4 150)');
    expect(value.Hex).toMatch(/^#[\da-f]{6}$/);
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['no color', undefined, 'color'],
    ['red', 'no color', 'background'],
    ['rgb(10px 1 2)', undefined, 'color'],
  ])('rejects an invalid color and names its field', async (color, background, param) => {
    await expect(convert(color, background)).rejects.toMatchObject({ status: 400, param });
  });
});
