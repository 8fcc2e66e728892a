/** Checks that images use the colours of the pages. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COLOURS } from '../src/site/design/colours.ts';

const tokens = readFileSync('src/site/client/styles/tokens.css', 'utf8');

it.each(Object.entries(COLOURS))(
  'the colour %s of images equals the light value of its CSS token',
  (name, colour) => {
    const token = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    expect(tokens).toContain(`--${token}: light-dark(${colour}, `);
  },
);
