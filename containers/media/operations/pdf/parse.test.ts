/** Tests the media worker's parse_document on real files. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { distilled, emptyFolder, operate, put } from './test-files.ts';
import { imageFile, jpegImage } from './test-image-files.ts';

afterAll(emptyFolder);

interface Parsed {
  text: string;
  metadata: Record<string, unknown>;
}

async function parse(path: string): Promise<Parsed> {
  const { bytes, contentType } = await operate('parse_document', {}, [path]);
  expect(contentType).toBe('application/json');
  return JSON.parse(bytes.toString('utf8'));
}

const pagesOf = (name: string, ...texts: string[]) =>
  distilled(name, texts.map((text) => `72 700 moveto (${text}) show showpage`).join('\n'));

describe('parse_document of a PDF', () => {
  it('reads the text layer page by page, with separators that name the next page', async () => {
    const { text, metadata } = await parse(
      pagesOf('three', 'First words', 'Second', 'Third of all'),
    );
    expect(text).toBe('First words\n--- Page 2 ---\nSecond\n--- Page 3 ---\nThird of all');
    expect(metadata).toEqual({ format: 'pdf', pages: 3, words: 6 });
  });

  it('keeps the page numbers around an empty page', async () => {
    const path = distilled(
      'gap',
      '72 700 moveto (One) show showpage showpage 72 700 moveto (Three) show showpage',
    );
    expect((await parse(path)).text).toBe('One\n--- Page 2 ---\n\n--- Page 3 ---\nThree');
  });

  it('adds no separator for a single page', async () => {
    expect((await parse(pagesOf('single', 'Alone'))).text).toBe('Alone');
  });

  it.each([
    [
      'of numbers',
      ['The years 2019-', '2021, pages 12-', '15'],
      'The years 2019-2021, pages 12-15',
    ],
    [
      'before capital letters',
      ['in Alsace-', 'Lorraine & <Rhine>-', '1'],
      'in Alsace-Lorraine & <Rhine>-\n1',
    ],
    ['that are dashes', ['a line ---', 'and one more -', 'yes'], 'a line ---\nand one more -\nyes'],
    [
      'of words hyphenated elsewhere',
      ['Well-known words, a well-', 'known man, a state-of-', 'the-art one; state-of-the-art'],
      'Well-known words, a well-known man, a state-of-the-art one; state-of-the-art',
    ],
    ['of broken words not', ['an exam-', 'ple of 1-', '2'], 'an example of 1-2'],
  ])('handles hyphens at line ends: those %s', async (name, lines, expected) => {
    const shown = lines.map((line, index) => `72 ${700 - index * 14} moveto (${line}) show\n`);
    const font = '/Helvetica findfont 12 scalefont setfont\n';
    const { text } = await parse(
      distilled(name.replaceAll(' ', '-'), `${font}${shown.join('')} showpage`),
    );
    expect(text).toBe(expected);
  });

  it('reads columns one after the other, independent of the drawing order', async () => {
    let lines = '/Helvetica findfont 11 scalefont setfont\n';
    for (let line = 0; line < 30; line += 1) {
      const y = 700 - line * 16;
      lines += `72 ${y} moveto (left line ${line} runs on and on here) show\n`;
      lines += `320 ${y} moveto (right line ${line} goes its own way) show\n`;
    }
    const { text } = await parse(distilled('columns', `${lines} showpage`));
    expect(text.indexOf('left line 29')).toBeLessThan(text.indexOf('right line 0 '));
    expect(text.indexOf('left line 2 ')).toBeLessThan(text.indexOf('left line 3 '));
  });

  it('reads short columns of equal height in drawing order, although they resemble a table', async () => {
    const [left, right] = ['left', 'right'].map((side, column) =>
      Array.from({ length: 12 }, (_, index) => ({
        word: `${side}${index}`,
        show: `${72 + column * 250} ${700 - index * 40} moveto (${side}${index} stands alone) show\n`,
      })),
    );
    const all = [...(left ?? []), ...(right ?? [])];
    const font = '/Helvetica 11 selectfont\n';
    const title = '72 750 moveto (A title over both of the columns, which is long) show\n';
    const path = distilled(
      'short',
      `${font}${title}${all.map(({ show }) => show).join('')} showpage`,
    );
    const { text } = await parse(path);
    expect(text.match(/(?:left|right)\d+/g)).toEqual(all.map(({ word }) => word));
  });

  it('ignores a drawing order that runs up the page', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => index);
    const show = (index: number) =>
      `72 ${700 - index * 40} moveto (line${index}) show 320 ${700 - index * 40} moveto (beside${index}) show\n`;
    const drawing = lines.toReversed().map(show).join('');
    const { text } = await parse(
      distilled('upwards', `/Helvetica 11 selectfont ${drawing} showpage`),
    );
    expect(text.match(/line\d+/g)).toEqual(lines.map((index) => `line${index}`));
  });

  it('reads letters with diacritics', async () => {
    const document = await (await import('pdf-lib')).PDFDocument.create();
    document.addPage([300, 300]).drawText('Grüße, naïve café', { x: 20, y: 200, size: 12 });
    expect((await parse(put('letters.pdf', await document.save()))).text).toBe('Grüße, naïve café');
  });

  it('ignores form feeds inside the text', async () => {
    const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
2 beginbfchar <41> <000C> <42> <0042> endbfchar endcmap end end`;
    const { PDFDocument, PDFName } = await import('pdf-lib');
    const document = await PDFDocument.create();
    const font = document.context.register(
      document.context.obj({
        Type: 'Font',
        Subtype: 'Type1',
        BaseFont: 'Helvetica',
        ToUnicode: document.context.register(document.context.flateStream(map)),
      }),
    );
    for (let page = 0; page < 2; page += 1) {
      const { node } = document.addPage([300, 300]);
      node.setFontDictionary(PDFName.of('F'), font);
      const draw = document.context.flateStream('BT /F 20 Tf 20 200 Td (BAB) Tj ET');
      node.addContentStream(document.context.register(draw));
    }
    const { text, metadata } = await parse(put('feed.pdf', await document.save()));
    expect(metadata.pages).toBe(2);
    expect(text.match(/--- Page \d ---/g)).toEqual(['--- Page 2 ---']);
    expect(text.split('\n--- Page 2 ---\n').map((page) => page.replace(/\s/g, ''))).toEqual([
      'BB',
      'BB',
    ]);
  });

  it.each([
    [100, 'has no text that can be extracted; its pages may be images. Use extract_text_ocr'],
    [500, 'contains images without text. Use extract_text_ocr'],
  ])(
    'fails with imageOnly and the page count without a text layer: image of %i pt',
    async (width, reason) => {
      const { PDFDocument } = await import('pdf-lib');
      const document = await PDFDocument.create();
      const image = await document.embedJpg((await jpegImage(100, 100)).data);
      for (let page = 0; page < 2; page += 1)
        document.addPage().drawImage(image, { width, height: width });
      const path = put('scan.pdf', await document.save());
      await expect(parse(path)).rejects.toMatchObject({
        status: 422,
        code: 'tool_failed',
        message: expect.stringContaining(reason),
        extra: { metadata: { format: 'pdf', pages: 2, words: 0, imageOnly: true } },
      });
    },
  );

  it('reads 300 pages and refuses 301', async () => {
    const many = (name: string, count: number) =>
      pagesOf(name, ...Array.from({ length: count }, (_, index) => `p${index + 1}`));
    const { text, metadata } = await parse(many('most', 300));
    expect(metadata).toEqual({ format: 'pdf', pages: 300, words: 300 });
    expect(text.endsWith('--- Page 300 ---\np300')).toBe(true);
    await expect(parse(many('over', 301))).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('301 pages'),
    });
  });

  it('refuses an encrypted file, even one that opens without a password', async () => {
    const plain = pagesOf('secret', 'Secret');
    for (const [name, user] of [
      ['open', ''],
      ['locked', 'password'],
    ] as const) {
      const path = plain.replace('secret', name);
      run('qpdf', '--encrypt', user, 'owner', '256', '--', plain, path);
      await expect(parse(path), name).rejects.toMatchObject({ status: 400 });
    }
  });

  it('refuses an unreadable file, and reads one that qpdf can repair', async () => {
    const whole = readFileSync(pagesOf('whole', 'Sound text'));
    await expect(parse(put('text.pdf', 'just text'))).rejects.toMatchObject({ status: 400 });
    await expect(parse(put('cut.pdf', whole.subarray(0, 400)))).rejects.toMatchObject({
      status: 400,
    });
    const shifted = whole.toString('latin1').replace(/startxref\s+\d+/, 'startxref\n7');
    expect((await parse(put('shifted.pdf', shifted))).text).toBe('Sound text');
  });

  it('reads all pages of a file that declares none or very many', async () => {
    const whole = readFileSync(pagesOf('claiming', 'One', 'Two')).toString('latin1');
    for (const count of ['0', '9999999999']) {
      const claim = whole.replace(/\/Count 2\b/, `/Count ${count}`);
      expect(claim).not.toBe(whole);
      const { text, metadata } = await parse(put('claim.pdf', claim));
      expect(text).toBe('One\n--- Page 2 ---\nTwo');
      expect(metadata.pages).toBe(2);
    }
  });

  it('ignores duplicate text in page images, and keeps text under a scan', async () => {
    const page = { image: await jpegImage(100, 120), across: 200 };
    const { text } = await parse(put('both.pdf', await imageFile([page])));
    expect(text).toBe('Words of page 1');
  });
});
