/** Checks that images use the same colors as the pages. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COLORS } from '../src/site/design/colors.ts';

const tokens = readFileSync('src/site/client/styles/tokens.css', 'utf8');

it.each(Object.entries(COLORS))(
  'the color %s of images equals the light value of its CSS token',
  (name, color) => {
    const token = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    expect(tokens).toContain(`--${token}: light-dark(${color}, `);
  },
);
