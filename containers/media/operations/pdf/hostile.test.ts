/**
 * Tests operations on files that are designed to exhaust or mislead the service. Each file must yield an error or a
 * correct result within seconds.
 */
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ToolError } from '../../../../src/core/errors.ts';
import { book, emptyFolder, operate, put } from './test-files.ts';
import { file, type Objects, PAGE, simple } from './test-hostile-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

/** The time limit, in seconds, after which a test is considered to hang. It is long enough for a busy machine. */
const SECONDS = 120;
const healthy = book('Healthy', 4);

/** Makes a stream object whose decoded data is many times larger than the stream. */
function bomb(dictionary: string, megabytes: number, start = ''): string {
  const data = Buffer.alloc(megabytes * 1024 * 1024, 32);
  data.write(start);
  const packed = deflateSync(data, { level: 9 });
  const text = packed.toString('latin1');
  return `<<${dictionary}/Filter/FlateDecode/Length ${packed.length}>>\nstream\n${text}\nendstream`;
}

function manyOutlines(count: number): Objects {
  const objects: Objects = { 9: `<</First 10 0 R/Last ${count + 9} 0 R/Count ${count}>>` };
  for (let index = 0; index < count; index += 1) {
    const next = index + 1 < count ? `/Next ${index + 11} 0 R` : '';
    objects[index + 10] = `<</Title(item ${index})/Parent 9 0 R${next}/Dest[3 0 R/Fit]>>`;
  }
  return objects;
}

const nested = (count: number) => '['.repeat(count) + ']'.repeat(count);

const iccInCircles = '<</N 3/Alternate 6 0 R/Length 1>>\nstream\nx\nendstream';

/** Makes a page with one FlateDecode image that has these entries and this data. */
function withImage(entries: string, data = 'x', space = '/DeviceRGB', more: Objects = {}): Buffer {
  const packed = data.replace(/\nendstream$/, '');
  const image = `<</Type/XObject/Subtype/Image${entries}/ColorSpace ${space}/BitsPerComponent 8/Filter/FlateDecode/Length ${packed.length}>>`;
  return file({
    ...simple({
      4: '<</Length 23>>\nstream\n90 0 0 90 0 0 cm /I Do \nendstream',
      5: `${image}\nstream\n${packed}\nendstream`,
      ...more,
    }),
    3: PAGE.replace('>>', '/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>'),
  });
}

const FILES: Record<string, () => Buffer> = {
  'a page count of 9,999,999,999': () =>
    file({ ...simple(), 2: '<</Type/Pages/Kids[3 0 R]/Count 9999999999>>' }),
  // A function call with 150,000 arguments would overflow the stack.
  'a form field with 150,000 kids': () =>
    file(simple({ 4: `<</Kids[${'<<>>'.repeat(150_000)}]>>` }, '/AcroForm<</Fields[4 0 R]>>')),
  'form fields in an array that contains itself': () =>
    file(simple({ 4: '[<</Kids 4 0 R>>]' }, '/AcroForm<</Fields 4 0 R>>')),
  'nodes of a name tree in an array that contains itself': () =>
    file(
      simple(
        { 4: `[${'<</Kids 4 0 R>>'.repeat(50_000)}]` },
        '/Names<</Dests<</Kids 4 0 R>>/EmbeddedFiles<</Kids 4 0 R>>>>',
      ),
    ),
  'structure elements in an array that contains itself': () =>
    file(
      simple(
        { 4: '<</K 5 0 R>>', 5: '[<</S/P/K 5 0 R>><</S/P/K 5 0 R>>]' },
        '/StructTreeRoot 4 0 R',
      ),
    ),
  'a page tree that contains itself': () =>
    file({ ...simple(), 2: '<</Type/Pages/Kids[3 0 R 2 0 R]/Count 5>>' }),
  'a page tree with a cyclic branch': () =>
    file({ ...simple(), 3: '<</Type/Pages/Kids[2 0 R]/Parent 2 0 R/Count 1>>' }),
  'cyclic outlines': () =>
    file(
      simple(
        {
          9: '<</First 10 0 R/Last 11 0 R>>',
          10: '<</Title(a)/Parent 9 0 R/Next 11 0 R/First 10 0 R/Dest[3 0 R/Fit]>>',
          11: '<</Title(b)/Parent 9 0 R/Next 10 0 R/Dest(loop)>>',
        },
        '/Outlines 9 0 R',
      ),
    ),
  'a name tree that contains itself': () =>
    file(
      simple(
        {
          9: '<</First 10 0 R/Last 10 0 R>>',
          10: '<</Title(a)/Parent 9 0 R/Dest(loop)>>',
          12: '<</Kids[12 0 R 12 0 R 12 0 R]>>',
        },
        '/Outlines 9 0 R/Names<</Dests 12 0 R>>',
      ),
    ),
  'references that refer to each other': () =>
    file(simple({ 9: '10 0 R', 10: '9 0 R' }, '/Outlines 9 0 R')),
  'a Prev that points at its own section': () => {
    const bytes = file(simple(), '/Prev 0000000000');
    const offset = bytes.lastIndexOf('xref\n0');
    const text = bytes.toString('latin1');
    return Buffer.from(text.replace('/Prev 0000000000', `/Prev ${offset}`), 'latin1');
  },
  'an object stream that inflates beyond the limit': () => {
    const stream = bomb('/Type/ObjStm/N 1/First 5', 70, '9 0  ');
    return file(simple({ 5: stream }, '/Outlines 9 0 R'));
  },
  'a content stream that inflates to 100 megabytes': () =>
    file({ ...simple({ 4: bomb('', 100) }), 3: PAGE.replace('>>', '/Contents 4 0 R>>') }),
  'ten thousand nested arrays': () => file(simple({ 9: nested(10_000) }, '/Outlines 9 0 R')),
  'a million nested arrays in its catalog': () => file(simple({}, `/Outlines ${nested(1e6)}`)),
  'a length that refers to itself': () =>
    file(simple({ 9: '<</Length 9 0 R>>\nstream\nx\nendstream' }, '/Outlines 9 0 R')),
  'unknown encryption': () => file(simple(), '/Encrypt<</Filter/Standard/V 99/R 99>>'),
  'a page that is its own form': () => {
    const form = '<</Fields[9 0 R]>>';
    const field = '<</T(a)/Kids[9 0 R]/Parent 9 0 R/Subtype/Widget/Rect[0 0 9 9]>>';
    const objects = simple({ 9: field }, `/AcroForm ${form}`);
    return file({ ...objects, 3: PAGE.replace('>>', '/Annots[9 0 R]>>') });
  },
  'a cyclic structure tree': () =>
    file({
      ...simple(
        {
          9: '<</Type/StructTreeRoot/K 10 0 R/ParentTree 11 0 R>>',
          10: '<</S/P/P 10 0 R/K[10 0 R 0]/Pg 3 0 R>>',
          11: '<</Kids[11 0 R]/Nums[0[10 0 R]]>>',
        },
        '/StructTreeRoot 9 0 R',
      ),
      3: PAGE.replace('>>', '/StructParents 0>>'),
    }),
  'a cross-reference table that claims a billion objects': () => {
    const text = file(simple()).toString('latin1');
    return Buffer.from(text.replace('xref\n0 4', 'xref\n0 999999999'), 'latin1');
  },
  'an image that claims ten thousand megapixels': () => withImage('/Width 100000/Height 100000'),
  'an image that inflates to 120 megabytes': () =>
    withImage('/Width 6400/Height 6400', bomb('', 120).split('stream\n')[1]),
  'an image that is its own soft mask': () => withImage('/Width 9/Height 9/SMask 5 0 R'),
  'an image whose color space is its own base': () =>
    withImage('/Width 9/Height 9', 'x', '6 0 R', { 6: '[/ICCBased 7 0 R]', 7: iccInCircles }),
  'a page of a billion points': () =>
    file({ ...simple(), 3: PAGE.replace('99 99', '1000000000 1000000000') }),
  'a form that draws itself': () =>
    file({
      ...simple({
        4: '<</Length 4>>\nstream\n/F Do\nendstream',
        5: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 5 0 R>>>>/Length 10>>\nstream\n/F Do /F Do\nendstream',
      }),
      3: PAGE.replace('>>', '/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>'),
    }),
  'only zeros after its header': () =>
    Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1e6)]),
};

/** Makes a file with two small pages of text. Its page tree declares `count` pages. */
function twoPages(count: string): Buffer {
  const entries = '/Contents 7 0 R/Resources<</Font<</F 8 0 R>>>>>>';
  const page = PAGE.replace('99 99', '200 99').replace('>>', entries);
  const text = 'BT /F 24 Tf 20 40 Td (Some words) Tj ET';
  return file({
    ...simple(),
    2: `<</Type/Pages/Kids[3 0 R 4 0 R]/Count ${count}>>`,
    3: page,
    4: page,
    7: `<</Length ${text.length}>>\nstream\n${text}\nendstream`,
    8: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  });
}

async function answered(run: Promise<unknown>, seconds = SECONDS): Promise<void> {
  const started = performance.now();
  try {
    await run;
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    expect((error as ToolError).status).toBeLessThan(500);
    expect((error as ToolError).message).not.toMatch(/\/tmp|\/usr/);
  }
  expect(performance.now() - started).toBeLessThan(seconds * 1000);
}

describe('hostile files', () => {
  it.each(Object.keys(FILES))('%s finishes in seconds when merged and split', async (name) => {
    const path = put('hostile.pdf', FILES[name]?.() ?? Buffer.alloc(0));
    await answered(operate('merge_pdf', {}, [healthy, path]));
    await answered(operate('merge_pdf', {}, [path, healthy]));
    await answered(operate('split_pdf', { ranges: [[[1, 1]], [[1, 9_999_999_999]]] }, [path]));
  });

  it.each(Object.keys(FILES))('%s finishes in seconds when compressed and read', async (name) => {
    const path = put('hostile.pdf', FILES[name]?.() ?? Buffer.alloc(0));
    // Five programs read the file, and some of them run concurrently.
    await answered(operate('compress_pdf', {}, [path]), 2 * SECONDS);
    await answered(operate('parse_document', {}, [path]));
  });

  it.each([
    ['merge_pdf', {}, 'files'],
    ['images_to_pdf', { pageSize: 'fit', margin: 0 }, 'files'],
    ['split_pdf', { ranges: [[[1, 1]]] }, 'file'],
    ['compress_pdf', {}, 'file'],
    ['parse_document', {}, 'file'],
    ['extract_text_ocr', { language: 'eng' }, 'file'],
  ])('%s reports a file without pages and a damaged file', async (tool, params, param) => {
    const none = put('none.pdf', file({ ...simple(), 2: '<</Type/Pages/Kids[]/Count 0>>' }));
    const noise = put('noise.pdf', '%PDF-1.7\nnothing else');
    const others = tool === 'merge_pdf' ? [healthy] : [];
    await expect(operate(tool, params, [none, ...others])).rejects.toMatchObject({
      status: 400,
      param,
      message: '"none.pdf" has no pages.',
    });
    await expect(operate(tool, params, [noise, ...others])).rejects.toMatchObject({
      status: 400,
      param,
      message: expect.stringContaining('"noise.pdf"'),
    });
  });

  it('use their actual pages instead of the declared page count', async () => {
    const path = put('claims.pdf', FILES['a page count of 9,999,999,999']?.() ?? Buffer.alloc(0));
    const merged = await operate('merge_pdf', {}, [healthy, path]);
    expect(look.pageCount(merged.path)).toBe(5);
    for (const count of ['0', '5']) {
      const claims = readFileSync(healthy, 'latin1').replace(/\/Count 4\b/, `/Count ${count}`);
      const wrong = put('claims-wrong.pdf', Buffer.from(claims, 'latin1'));
      // qpdf builds the result from the first file and keeps that file's catalog.
      const first = await operate('merge_pdf', {}, [wrong, path]);
      expect(look.pageCount(first.path)).toBe(5);
      expect(look.outlines(first.path)).toEqual(look.outlines(healthy));
      const single = await operate('images_to_pdf', { pageSize: 'fit', margin: 0 }, [wrong]);
      expect(look.pageCount(single.path)).toBe(4);
      const read = put('claims-words.pdf', twoPages(count));
      const { bytes } = await operate('extract_text_ocr', { language: 'eng' }, [read]);
      expect(JSON.parse(bytes.toString()).text.match(/--- Page \d+ ---/g)).toEqual([
        '--- Page 2 ---',
      ]);
    }
  });

  it('with a page listed 200,000 times in the page tree are refused in seconds, naming the file', async () => {
    const kids = '3 0 R '.repeat(200_000);
    const path = put(
      'repeated.pdf',
      file({ ...simple(), 2: `<</Type/Pages/Count 200000/Kids[${kids}]>>` }),
    );
    const started = performance.now();
    await expect(operate('split_pdf', { ranges: [[[1, 1]]] }, [path])).rejects.toMatchObject({
      status: 422,
      code: 'tool_failed',
      param: 'file',
      message: expect.stringContaining('"repeated.pdf" takes too long to repair'),
    });
    expect(performance.now() - started).toBeLessThan(SECONDS * 1000);
  });

  it('with 30,000 bookmarks merge with all of them', async () => {
    const path = put('bookmarks.pdf', file(simple(manyOutlines(30_000), '/Outlines 9 0 R')));
    const started = performance.now();
    const merged = await operate('merge_pdf', {}, [healthy, path]);
    expect(performance.now() - started).toBeLessThan(SECONDS * 1000);
    expect(look.check(merged.path)).toContain('No syntax');
    expect(look.outlines(merged.path)).toHaveLength(30_002);
  });
});
