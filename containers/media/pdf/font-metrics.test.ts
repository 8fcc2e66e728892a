import { expect, it } from 'vitest';
import { fontMetrics } from './font-metrics.ts';
import { name, type PdfDictionary, type PdfValue, UNRESOLVED } from './objects.ts';

const dictionary = (entries: Record<string, PdfValue>): PdfDictionary =>
  new Map(Object.entries(entries));

const composite = (widths: PdfValue[]) =>
  fontMetrics(
    UNRESOLVED,
    dictionary({
      Subtype: name('Type0'),
      DescendantFonts: [dictionary({ W: widths, DW: 800 })],
    }),
  );

it.each([
  ['lists', [10, [100, 200], 20, [300]], { 9: 0.8, 10: 0.1, 11: 0.2, 12: 0.8, 20: 0.3 }],
  ['ranges', [10, 12, 100, 5, 6, 200], { 4: 0.8, 5: 0.2, 6: 0.2, 7: 0.8, 10: 0.1, 12: 0.1 }],
  ['a range in a range', [0, 100, 500, 5, [1]], { 4: 0.5, 5: 0.001, 6: 0.5, 101: 0.8 }],
  ['values that are not widths', [10, [name('x')], 20, 21, name('x')], { 10: 1, 21: 1 }],
])('fontMetrics reads the widths of CIDs in %s', (_, widths, expected) => {
  const { widthOf } = composite(widths);
  for (const [cid, width] of Object.entries(expected)) expect(widthOf(Number(cid))).toBe(width);
});

it('fontMetrics reads the widths of codes, and those of the standard fonts', () => {
  const declared = dictionary({ FirstChar: 65, Widths: [600, name('x')] });
  const { widthOf } = fontMetrics(UNRESOLVED, declared);
  expect([64, 65, 66, 67].map(widthOf)).toEqual([0.5, 0.6, 0.5, 0.5]);
  const standard = (font: string) => fontMetrics(UNRESOLVED, dictionary({ BaseFont: name(font) }));
  expect(standard('Courier').widthOf(65)).toBe(0.6);
  expect(standard('Helvetica-BoldOblique').widthOf(65)).toBe(0.722);
  expect(standard('Times-Roman').widthOf(31)).toBe(0.5);
  expect(standard('Unknown').hasWidths).toBe(false);
});

it('fontMetrics copies no widths, because many fonts may have the same', () => {
  const codes = Array.from({ length: 256 }, () => 500);
  const shared: PdfValue[] = Array.from({ length: 60_000 }, (_, at) => [at, [500]]).flat();
  const metrics = Array.from({ length: 20_000 }, (_, at) => [
    composite([0, 65_535, at]),
    composite(shared),
    fontMetrics(UNRESOLVED, dictionary({ Widths: codes })),
  ]);
  expect(metrics[15_000]![0]!.widthOf(9)).toBe(15);
});
