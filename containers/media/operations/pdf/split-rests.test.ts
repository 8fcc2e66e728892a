/**
 * Tests that a part contains no data that is shown only on other pages, even if the file violates the specification.
 */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { emptyFolder, operate, put } from './test-files.ts';
import { file, simple } from './test-hostile-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

const PAGES = [1, 2, 3, 4, 5, 6];
const stream = (entries: string, data: string) =>
  `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`;

interface Made {
  annotation?(page: number): string;
  contents?(page: number): string;
  more?: Record<number, string>;
  catalog?: string;
}

/**
 * Makes a file with six pages. Object numbers start at 11 for pages, 21 for contents, 41 for annotations, and 61 for
 * the annotations' appearances.
 */
function made(name: string, { annotation, contents, more, catalog = '' }: Made): string {
  const objects: Record<number, string> = {
    1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    2: `<</Type/Pages/Count 6/Kids[${PAGES.map((page) => `${page + 10} 0 R`).join(' ')}]>>`,
    3: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...more,
  };
  for (const page of PAGES) {
    const shown = contents?.(page) ?? `${page + 20} 0 R`;
    const noted = annotation ? `/Annots[${page + 40} 0 R]` : '';
    const resources = '/Resources<</Font<</F 3 0 R>>>>';
    objects[page + 10] =
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]${resources}/Contents ${shown}${noted}>>`;
    objects[page + 20] = stream('', `BT /F 20 Tf 20 99 Td (secret of page ${page}) Tj ET`);
    if (!annotation) continue;
    objects[page + 40] =
      `<</Type/Annot/Rect[9 9 99 99]/AP<</N ${page + 60} 0 R>>${annotation(page)}>>`;
    const form = '/Type/XObject/Subtype/Form/BBox[0 0 90 90]';
    objects[page + 60] = stream(form, `% secret of page ${page}`);
  }
  return put(`${name}.pdf`, file(objects));
}

const widget = () => '/Subtype/Widget/FT/Tx/Parent 80 0 R';
const field = { 80: `<</T(a)/Kids[${PAGES.map((page) => `${page + 40} 0 R`).join(' ')}]>>` };

const next = (page: number) => (page % 6) + 41;
const filled = (page: number) => `/Subtype/Widget/FT/Tx/T(f${page})/V(secret of page ${page})`;
const all = PAGES.map((page) => `${page + 40} 0 R`).join(' ');
const acting = (action: (page: number) => string): Made => ({
  annotation: (page) => `${filled(page)}${action(page)}`,
  catalog: `/AcroForm<</Fields[${all}]>>`,
});

const FILES: Record<string, Made> = {
  'widgets of one field in a file without a form': { annotation: widget, more: field },
  'widgets of one field that the form does not list': {
    annotation: widget,
    more: field,
    catalog: '/AcroForm<</Fields[]>>',
  },
  'widgets of one field that the form lists': {
    annotation: widget,
    more: field,
    catalog: '/AcroForm<</Fields[80 0 R]>>',
  },
  'notes that reply to one on the next page': {
    annotation: (page) => `/Subtype/Text/IRT ${(page % 6) + 41} 0 R/RT/Group`,
  },
  'fields that a button hides': acting((page) => `/A<</S/Hide/T ${next(page)} 0 R>>`),
  'fields that a button empties after another action': acting(
    (page) => `/AA<</U<</S/URI/URI(u:)/Next[<</S/ResetForm/Fields[${next(page)} 0 R]>>]>>>>`,
  ),
  'fields that a shared action sends': {
    ...acting(() => '/A 81 0 R'),
    more: { 81: `<</S/SubmitForm/F(http://example.com/)/Fields[${all}]>>` },
  },
  'fields that opening the document hides': {
    ...acting(() => ''),
    catalog: `/AcroForm<</Fields[${all}]>>/OpenAction<</S/Hide/T[${all}]>>`,
  },
  'the window of a note on another page': {
    annotation: (page) =>
      `/Subtype/Text/Contents(secret of page ${page})/Popup ${next(page)} 0 R/A<</S/Hide/T(a)>>`,
  },
  'a structure element that is the target of a link': {
    annotation: (page) =>
      `/Subtype/Link/A<</S/GoTo/D[${next(page) - 30} 0 R/Fit]/SD[${next(page) + 40} 0 R/Fit]>>`,
    more: Object.fromEntries(
      PAGES.map((page) => [
        page + 80,
        `<</S/P/P 80 0 R/Pg ${page + 10} 0 R/ActualText(secret of page ${page})>>`,
      ]),
    ),
  },
  'the thread that an action follows': {
    annotation: () => '/Subtype/Link/A<</S/Thread/D 80 0 R/B 82 0 R>>',
    more: { 80: '<</F 82 0 R/I<</Title(secret of page 3)>>>>', 82: '<</T 80 0 R/P 13 0 R>>' },
  },
  'contents of an old generation': {
    contents: (page) => `[${page + 20} 0 R ${(page % 6) + 21} 1 R]`,
  },
};

describe('split_pdf removes from each part the data of other pages in', () => {
  it.each(Object.keys(FILES))('%s', async (name) => {
    const path = made('rests', FILES[name]!);
    const one = await operate('split_pdf', { ranges: [[[2, 2]]] }, [path]);
    const many = await operate(
      'split_pdf',
      { ranges: [2, 1, 3, 4, 5, 6].map((page) => [[page, page]]) },
      [path],
    );
    run('unzip', '-q', many.path, '-d', `${many.path}-content`);
    const [first = ''] = run('unzip', '-Z1', many.path).trim().split('\n');
    const ofMany = join(`${many.path}-content`, first);
    for (const part of [one.path, ofMany]) {
      const found = look.uncompressed(part).match(/secret of page \d/g) ?? [];
      expect([...new Set(found)]).toEqual(['secret of page 2']);
      expect(run('pdftotext', part, '-')).toBe(run('pdftotext', '-f', '2', '-l', '2', path, '-'));
    }
    expect(look.renderings(ofMany)).toEqual(look.renderings(one.path));
  });
});

describe('a file that our reader refuses and qpdf reads', () => {
  /** An array that is nested more deeply than our reader accepts. */
  const DEEP = '['.repeat(150) + ']'.repeat(150);
  const path = put(
    'deep.pdf',
    file(
      simple({
        2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
        3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/PieceInfo<</A<</Private ${DEEP}>>>>>>`,
        4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 50 50]>>',
      }),
    ),
  );

  const widthsIn = (result: string) =>
    [
      ...run('pdfinfo', '-l', '9', result)
        .toString()
        .matchAll(/Page.+size: +(\d+)/g),
    ].map(([, width]) => Number(width));

  it('is split by qpdf, with a warning', async () => {
    const { path: result, meta } = await operate('split_pdf', { ranges: [[[2, 2]]] }, [path]);
    expect(widthsIn(result)).toEqual([50]);
    expect(meta.warnings).toEqual([expect.stringContaining('malformed')]);
  });

  it('is merged by qpdf, with a warning', async () => {
    const { path: result, meta } = await operate('merge_pdf', {}, [path, path]);
    expect(widthsIn(result)).toEqual([99, 50, 99, 50]);
    expect(meta.warnings).toEqual([expect.stringContaining('malformed')]);
  });
});
