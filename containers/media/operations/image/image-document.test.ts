/** Tests, using poppler, the sizes of pages that have the physical size of their image. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { ImageDocument } from './image-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'image-document-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  { of: 'a scan with its density', pixels: [2480, 3508], density: 300, points: [595.2, 841.92] },
  { of: 'a scan with a screen density', pixels: [1654, 2339], density: 72, points: [595.41, 842] },
  {
    of: 'a photo without a density',
    pixels: [4000, 3000],
    density: undefined,
    points: [842, 631.5],
  },
  { of: 'a long screenshot', pixels: [1280, 6400], density: 96, points: [595, 2975] },
  { of: 'a small image', pixels: [800, 600], density: 72, points: [800, 600] },
])('the page of $of is $points.0 by $points.1 points', async ({ pixels, density, points }) => {
  const [width, height] = pixels as [number, number];
  const path = join(folder, 'page.pdf');
  const document = await ImageDocument.create(path, { pageSize: 'physical', margin: 0 });
  const data = [deflateSync(Buffer.alloc(Math.ceil(width / 8) * height))];
  const image = { width, height, bitsPerComponent: 1, filter: 'FlateDecode', data } as const;
  await document.addPage({ ...image, colorSpace: { components: 1 } }, 1, density);
  await document.finish();
  const size = /Page size: +([\d.]+) x ([\d.]+) pts/.exec(
    execFileSync('pdfinfo', [path], { encoding: 'utf8' }),
  );
  expect(Number(size?.[1])).toBeCloseTo(points[0]!, 1);
  expect(Number(size?.[2])).toBeCloseTo(points[1]!, 1);
});
