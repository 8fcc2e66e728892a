/** Converts colors with culori, which implements CSS Color 4. */
import {
  blend,
  type Color,
  clampRgb,
  converter,
  formatCss,
  formatHex,
  formatHex8,
  formatHsl,
  formatRgb,
  inGamut,
  parse,
  toGamut,
  wcagContrast,
} from 'culori';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { convertColor } from './convert_color.ts';

const toOklch = converter('oklch');
const toRgbGamut = toGamut('rgb', 'oklch');
const isInGamut = inGamut('rgb');
/** Matches the functions whose colors are always in sRGB. */
const SRGB = /^(?:rgb|hsl)a?\(|^hwb\(/;

export const convertColorHere = defineTool({
  ...convertColor,
  run(parameters, { warn }) {
    const given = read(parameters.color, 'color');
    const background = read(parameters.background, 'background');
    // Rounding errors in the mapping change colors on the edge of the gamut, such as red.
    const isShown = isInGamut(given);
    if (!isShown)
      warn(
        'Screens without a wide gamut cannot show this color. The hex, RGB and HSL values are the closest they can show.',
      );
    const color = isShown ? given : toRgbGamut(given);
    const isOpaque = (color.alpha ?? 1) === 1;
    // A transparent color is composited over the background, and a transparent background over white.
    const behind = blend(['white', background]);
    const contrast = wcagContrast(blend([behind, color]), behind);
    return json({
      Hex: (isOpaque ? formatHex : formatHex8)(color),
      RGB: formatRgb(color),
      HSL: formatHsl(color),
      OKLCH: formatCss(rounded(toOklch(given))),
      Contrast: `${(Math.floor(contrast * 100) / 100).toFixed(2)}:1, ${verdict(contrast)}`,
    });
  },
});

/** Parses a color. culori throws a TypeError if a number has an unknown unit. */
function parsed(text: string): Color | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a color or a CSS declaration, such as `color: red;`. */
function read(text: string, param: string): Color {
  const value = text
    .trim()
    .replace(/^[\w-]+\s*:/, '')
    .replace(/;$/, '')
    .trim()
    // CSS ignores case, but culori accepts functions and units only in lower case.
    .toLowerCase();
  const exact = parsed(value) ?? parsed(`#${value}`);
  // CSS limits the channels of these functions, but culori does not.
  const color = exact && SRGB.test(value) ? clampRgb(exact) : exact;
  if (color && 'h' in color && color.h !== undefined) return { ...color, h: fullTurns(color.h) };
  if (color) return color;
  throw badRequest(
    `${JSON.stringify(text)} is not a color. Use CSS syntax, such as #0a6454 or teal.`,
    param,
  );
}

/** Normalizes a hue to the range from 0 to 360 degrees. */
const fullTurns = (hue: number): number => ((hue % 360) + 360) % 360;

/** Rounds to four digits, which is more than the eye can distinguish. */
const rounded = <T extends object>(color: T): T =>
  Object.fromEntries(
    Object.entries(color).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toFixed(4)) : value,
    ]),
  ) as T;

/** Rates a contrast according to WCAG 2.2, success criteria 1.4.3 and 1.4.6. */
function verdict(contrast: number): string {
  if (contrast >= 7) return 'enough for all text (AAA)';
  if (contrast >= 4.5) return 'enough for text (AA)';
  return contrast >= 3 ? 'enough for large text only' : 'too little for text';
}
