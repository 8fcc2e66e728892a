/** Tests parse_document with `ocr: "auto"`, which recognizes only pages without usable text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { degrees, PDFDocument } from 'pdf-lib';
import { afterAll, expect, it } from 'vitest';
import { distilled, emptyFolder, folder, operate, put } from '../pdf/test-files.ts';
import { run } from '../test-operation.ts';

afterAll(emptyFolder);

/** Makes a PDF of three pages. The middle page shows these lines as an image, and the others contain text. */
async function mixed(...lines: string[]): Promise<string> {
  const shown = lines.map((line, index) => `72 ${200 - 20 * index} moveto (${line}) show`);
  const source = distilled(
    'source',
    `<</PageSize [595 300]>> setpagedevice /Helvetica 14 selectfont ${shown.join(' ')} showpage`,
  );
  run('pdftoppm', '-r', '150', '-png', '-singlefile', source, join(folder, 'page'));
  const document = await PDFDocument.create();
  document.addPage([300, 100]).drawText('Before');
  const image = await document.embedPng(readFileSync(join(folder, 'page.png')));
  document.addPage([595, 300]).drawImage(image, { width: 595, height: 300 });
  document.addPage([300, 100]).drawText('After');
  return put('mixed.pdf', await document.save());
}

it('parse_document reads image-only pages of a mixed PDF by OCR, with a warning', async () => {
  const path = await mixed('Scanned words');
  const { bytes, meta } = await operate('parse_document', { ocr: 'auto' }, [path]);
  expect(JSON.parse(bytes.toString('utf8'))).toEqual({
    text: 'Before\n--- Page 2 ---\nScanned words\n--- Page 3 ---\nAfter',
    metadata: { format: 'pdf', pages: 3, words: 4, recognised: [2] },
  });
  expect(meta.warnings).toEqual([
    expect.stringMatching(/^Page 2: there are only images.+recognized by OCR/),
  ]);
});

it('parse_document reads them in the given language, and names the language of text that looks like another', async () => {
  const path = await mixed(
    'Der Vertrag wird mit der Stadt und den Bewohnern geschlossen',
    'und ist nicht nur eine Vereinbarung, die von dem Rat kommt,',
    'aber auch ein Versprechen, das sich nach der Zeit richtet.',
    'Der Rat der Stadt ist von dem Vertrag nicht ausgenommen.',
  );
  const guessed = await operate('parse_document', { ocr: 'auto' }, [path]);
  expect(guessed.meta.warnings).toContainEqual(
    'The text looks like German. Run again with `language: "deu"`.',
  );
  const given = await operate('parse_document', { ocr: 'auto', language: 'deu' }, [path]);
  expect(given.meta.warnings).toEqual([expect.stringMatching(/^Page 2: there are only images/)]);
  const { text } = JSON.parse(given.bytes.toString('utf8'));
  expect(text).toContain('mit der Stadt und den Bewohnern');
});

/** A page with a heading, two list items and a table with rules. */
const STRUCTURED = `
  <</PageSize [595 400]>> setpagedevice
  /show-at { moveto show } def
  /Helvetica 26 selectfont (Yearly report) 60 350 show-at
  /Helvetica 13 selectfont
  (The plant has been moved to another town, and the sales have grown.) 60 320 show-at
  (The new plant is also larger than the old one.) 60 304 show-at
  [ (New machines) (More people) ] { /y y 18 sub def (\\267) 80 y show-at 100 y show-at } /y 292 def forall
  /row { /y y 24 sub def 200 y show-at 70 y show-at 60 y 8 sub moveto 400 0 rlineto stroke } def
  /y 240 def
  (Region) (Manager) row (North) (Anna Smith) row (East) (Carla Diaz) row (West) (Dan Brown) row
  showpage`;

it.each([0, 90])(
  'parse_document finds the structure of recognized pages that are rotated by %i degrees',
  async (rotation) => {
    const source = distilled('structured', STRUCTURED);
    run(
      'pdftoppm',
      '-r',
      '200',
      '-gray',
      '-png',
      '-singlefile',
      source,
      join(folder, 'structured'),
    );
    const document = await PDFDocument.create();
    document.addPage([300, 100]).drawText('Before');
    const image = await document.embedPng(readFileSync(join(folder, 'structured.png')));
    const page = document.addPage([595, 400]);
    page.drawImage(image, { width: 595, height: 400 });
    page.setRotation(degrees(rotation));
    const path = put('structured-scan.pdf', await document.save());
    const given = { ocr: 'auto', format: 'markdown', layout: true };
    const { bytes } = await operate('parse_document', given, [path]);
    const { text, layout } = JSON.parse(bytes.toString('utf8'));
    expect(text).toBe(
      [
        'Before',
        '--- Page 2 ---',
        '# Yearly report',
        'The plant has been moved to another town, and the sales have grown. The new plant is also larger than the old one.',
        '- New machines\n- More people',
        '| Region | Manager |\n| --- | --- |\n| North | Anna Smith |\n| East | Carla Diaz |\n| West | Dan Brown |',
      ].join('\n\n'),
    );
    expect(layout.map(({ page }: { page: number }) => page)).toEqual([1, 2]);
    const { width, height, blocks } = layout[1];
    expect([width, height].map(Math.round)).toEqual(rotation ? [400, 595] : [595, 400]);
    expect(blocks[0]).toMatchObject({ type: 'heading', level: 1, text: 'Yearly report' });
    const [left, top, right, bottom] = blocks[0].box.map(Math.round);
    const [from, to] = rotation ? [top, bottom] : [left, right];
    const [above, below] = rotation ? [400 - right, 400 - left] : [top, bottom];
    expect(from).toBeCloseTo(62, -1);
    expect(to).toBeCloseTo(208, -1);
    expect(above).toBeGreaterThan(20);
    expect(below).toBeLessThan(62);
  },
);
