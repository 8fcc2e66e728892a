/** Checks that rotating pages changes only /Rotate. qpdf compares files with different structures, object by object. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotatePages } from '../src/tools/rotate_pdf/rotate-pages.ts';
import { makeSampleFiles } from './content/sample-files.ts';

const TOTAL = 12;
const folder = mkdtempSync(join(tmpdir(), 'tools-rotated-'));
const at = (name: string) => join(folder, name);
const qpdf = (...args: string[]) => execFileSync('qpdf', args, { cwd: folder, encoding: 'utf8' });

beforeAll(async () => {
  await makeSampleFiles(folder, ['report.pdf']);
  qpdf('report.pdf', '--object-streams=disable', 'table.pdf');
  qpdf('report.pdf', '--object-streams=generate', 'stream.pdf');
  qpdf('report.pdf', '--object-streams=disable', '--linearize', 'linear-table.pdf');
  qpdf('report.pdf', '--object-streams=generate', '--linearize', 'linear-stream.pdf');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function rotated(
  name: string,
  rotations: [number, number][],
  total = TOTAL,
): Promise<string> {
  const before = new Uint8Array(readFileSync(at(name)));
  const after = await rotatePages(before, new Map(rotations), total);
  expect(Buffer.from(after.subarray(0, before.length)).equals(before)).toBe(true);
  writeFileSync(at('rotated.pdf'), after);
  return 'rotated.pdf';
}

/** Returns the rotation of each page, as read by poppler. */
function rotationsOf(name: string): number[] {
  const lines = execFileSync('pdfinfo', ['-f', '1', '-l', '99', at(name)], { encoding: 'utf8' });
  return [...lines.matchAll(/^Page +\d+ rot: +(\d+)/gm)].map(([, angle]) => Number(angle));
}

/** Returns the objects of a PDF by their references. */
function objectsOf(name: string): Record<string, { value?: Record<string, unknown> }> {
  const { qpdf: parts } = JSON.parse(
    qpdf('--json=2', '--json-key=qpdf', '--json-stream-data=none', name),
  );
  return parts[1];
}

const withAngles = (...pairs: [number, number][]) => {
  const all = Array.from({ length: TOTAL }, () => 0);
  for (const [page, angle] of pairs) all[page - 1] = angle;
  return all;
};

describe.each(['table.pdf', 'stream.pdf', 'linear-table.pdf', 'linear-stream.pdf'])(
  '%s',
  (name) => {
    it('has rotated pages and is otherwise unchanged', async () => {
      const result = await rotated(name, [
        [2, 90],
        [5, 180],
        [12, 270],
      ]);
      expect(rotationsOf(result)).toEqual(withAngles([2, 90], [5, 180], [12, 270]));
      const before = objectsOf(name);
      const after = objectsOf(result);
      for (const [ref, object] of Object.entries(before)) {
        if (ref === 'trailer') continue;
        const { '/Rotate': angle, ...others } = after[ref]!.value ?? {};
        const { '/Rotate': was, ...same } = object.value ?? {};
        expect(others).toEqual(same);
        if (angle !== was) expect(others['/Type']).toBe('/Page');
      }
      expect(after.trailer!.value!['/Info']).toEqual(before.trailer!.value!['/Info']);
      expect(after.trailer!.value!['/Root']).toEqual(before.trailer!.value!['/Root']);
    });

    it('is valid for qpdf, also after a second rotation', async () => {
      await rotated(name, [[1, 90]]);
      const again = await rotated('rotated.pdf', [
        [1, 180],
        [2, 270],
      ]);
      expect(rotationsOf(again)).toEqual(withAngles([1, 270], [2, 270]));
      const checked = spawnSync('qpdf', ['--check', again], { cwd: folder, encoding: 'utf8' });
      expect(checked).toMatchObject({ status: 0, stderr: '' });
    });
  },
);

describe('a rotation', () => {
  it('adds to an inherited rotation', async () => {
    const text = readFileSync(at('table.pdf'), 'latin1');
    const inherited = text
      .replaceAll('/Rotate 0', '')
      .replace('/Type /Pages', '/Rotate 90 /Type /Pages');
    writeFileSync(at('shifted.pdf'), inherited, 'latin1');
    spawnSync('qpdf', ['shifted.pdf', '--object-streams=disable', 'inherited.pdf'], {
      cwd: folder,
    });
    const result = await rotated('inherited.pdf', [[3, 90]]);
    expect(rotationsOf(result)).toEqual(rotationsOf('inherited.pdf').with(2, 180));
    expect(rotationsOf(result)[0]).toBe(90);
  });

  it('of no page returns the original bytes', async () => {
    const bytes = new Uint8Array(readFileSync(at('table.pdf')));
    expect(await rotatePages(bytes, new Map([[1, 360]]), TOTAL)).toBe(bytes);
  });
});

describe('rotatePages refuses, with a readable message,', () => {
  const refused = (name: string, total = TOTAL) =>
    rotatePages(new Uint8Array(readFileSync(at(name))), new Map([[1, 90]]), total);

  it.each([
    ['with a password', ['secret', 'secret']],
    ['for a reader without a password', ['', 'owner']],
  ])('a file encrypted %s', async (_, [user, owner]) => {
    qpdf('--encrypt', user!, owner!, '256', '--', 'report.pdf', 'encrypted.pdf');
    await expect(refused('encrypted.pdf')).rejects.toThrow('is encrypted');
  });

  it('a signed file', async () => {
    const text = readFileSync(at('table.pdf'), 'latin1');
    const signature = '/Signature << /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>';
    const changed = text.replace('/Type /Catalog', `${signature} /Type /Catalog`);
    writeFileSync(at('shifted.pdf'), changed, 'latin1');
    spawnSync('qpdf', ['shifted.pdf', '--object-streams=disable', 'signed.pdf'], { cwd: folder });
    await expect(refused('signed.pdf')).rejects.toThrow('is signed');
  });

  it.each<[string, (text: string) => string]>([
    ['whose end is missing', (text) => text.slice(0, -200)],
    ['whose cross-reference table is misplaced', (text) => text.replace('\n', '\n% shifted\n')],
    [
      'whose page tree is cyclic',
      (text) => text.replace(/\/Kids \[\s+\d+/, (kids) => kids.replace(/\d+/, '1')),
    ],
    ['that is not a PDF', () => 'a text'],
  ])('a file %s', async (_, change) => {
    writeFileSync(at('damaged.pdf'), change(readFileSync(at('table.pdf'), 'latin1')), 'latin1');
    await expect(refused('damaged.pdf')).rejects.toThrow('is damaged');
  });

  it('a file with another number of pages than the user saw', async () => {
    await expect(refused('table.pdf', TOTAL + 1)).rejects.toThrow('is damaged');
  });
});
