import { expect, it } from 'vitest';
import { stemOf } from './filename.ts';

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
