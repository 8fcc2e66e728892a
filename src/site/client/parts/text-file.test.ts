import { expect, it } from 'vitest';
import { namedAfter } from './text-file.ts';

it.each([
  ['images-compressed.pdf', 'holiday.jpg', 'holiday.pdf'],
  ['report-pages-1-3.pdf', 'report.pdf', 'report-pages-1-3.pdf'],
  ['pages.zip', 'My report.v2.pdf', 'My report.v2.zip'],
])('names %s, which was made of %s, %s', (given, input, name) => {
  expect(namedAfter(given, new File([], input))).toBe(name);
});
