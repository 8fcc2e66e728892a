/** Locates the words of a PDF with pdftotext. */
import { expect } from 'vitest';
import { run } from '../test-operation.ts';

export interface Seen {
  text: string;
  x: number;
  y: number;
}

/** Returns the center of each word, in points from the top left corner of the page as shown. */
export function middles(path: string): Seen[] {
  const html = run('pdftotext', '-cropbox', '-bbox', path, '-');
  const word = /<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]*)<\/word>/g;
  return [...html.matchAll(word)].map(([, left, top, right, bottom, text]) => ({
    text: text!,
    x: (Number(left) + Number(right)) / 2,
    y: (Number(top) + Number(bottom)) / 2,
  }));
}

export const near = (value: number) =>
  expect.toSatisfy((found: number) => Math.abs(found - value) < 7, `about ${value}`);
