import { expect, it, vi } from 'vitest';
import { safeFilename, stemOf } from './filename.ts';

it.each([
  ['report.pdf', 'report'],
  ['Report.2026.PDF', 'Report.2026'],
  ['clip.mp4', 'clip'],
  ['Invoice no. 12', 'Invoice no. 12'],
  ['report v1.2', 'report v1.2'],
  ['.pdf', '.pdf'],
])('the stem of "%s" is "%s"', (name, stem) => {
  expect(stemOf(name)).toBe(stem);
});

it('is the whole name of a PDF that ends otherwise', () => {
  expect(stemOf('Contract.final', 'pdf')).toBe('Contract.final');
  expect(stemOf('Contract.final.PDF', 'pdf')).toBe('Contract.final');
});

it('never normalizes a long name, which takes quadratic time, and keeps its extension', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const name = safeFilename(`folder/a${'\u0300\u0316'.repeat(20_000)}.png`);
  const lengths = normalize.mock.contexts.map((text) => String(text).length);
  normalize.mockRestore();
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1024);
  expect(name).toMatch(/\.png$/);
});
