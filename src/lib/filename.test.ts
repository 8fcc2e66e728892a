import { expect, it, vi } from 'vitest';
import { safeFilename, stemOf } from './filename.ts';

it.each([
  ['report.pdf', 'report'],
  ['Report.2026.PDF', 'Report.2026'],
  ['clip.mp4', 'clip'],
  ['Invoice no. 12', 'Invoice no. 12'],
  ['report v1.2', 'report v1.2'],
  ['.pdf', '.pdf'],
])('stemOf("%s") returns "%s"', (name, stem) => {
  expect(stemOf(name)).toBe(stem);
});

it('stemOf keeps an ending that is not .pdf', () => {
  expect(stemOf('Contract.final', 'pdf')).toBe('Contract.final');
  expect(stemOf('Contract.final.PDF', 'pdf')).toBe('Contract.final');
});

it('safeFilename keeps the extension of a long name and skips normalizing, which is quadratic', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const name = safeFilename(`folder/a${'\u0300\u0316'.repeat(20_000)}.png`);
  const lengths = normalize.mock.contexts.map((text) => String(text).length);
  normalize.mockRestore();
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1024);
  expect(name).toMatch(/\.png$/);
});
