/**
 * Tests the structure of parse_document's results, including tagged order, Markdown, page selection, boxes and
 * unreadable pages.
 */
import { deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { distilled, emptyFolder, operate, put } from './test-files.ts';
import { file, type Objects } from './test-hostile-files.ts';
import { jpegImage } from './test-image-files.ts';

afterAll(emptyFolder);

interface Parsed {
  text: string;
  metadata: Record<string, unknown>;
  layout: {
    page: number;
    width: number;
    blocks: { type: string; box: number[]; text: string }[];
  }[];
  warnings: unknown;
}

async function parse(path: string, params: Record<string, unknown> = {}): Promise<Parsed> {
  const { bytes, meta } = await operate('parse_document', params, [path]);
  return { ...JSON.parse(bytes.toString('utf8')), warnings: meta.warnings };
}

const stream = (entries: string, data: string) =>
  `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`;
const FONTS = '/Resources<</Font<</F1 6 0 R/F2 7 0 R>>>>';
const HELVETICA: Objects = {
  6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  7: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>',
};

/**
 * Makes a page whose lines are drawn from bottom to top and tagged in a different order. `tree` contains the objects of
 * the structure tree, numbered from 20.
 */
function tagged(name: string, lines: readonly string[], tree: Objects): string {
  const drawn = lines.map(
    (line, index) =>
      `/Span<</MCID ${index}>>BDC BT /F1 12 Tf 72 ${300 + index * 30} Td (${line}) Tj ET EMC`,
  );
  return put(
    `${name}.pdf`,
    file({
      ...HELVETICA,
      1: '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 20 0 R>>',
      2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/StructParents 0${FONTS}>>`,
      5: stream('', drawn.join('\n')),
      ...tree,
    }),
  );
}

const element = (type: string, kids: string, more = '/Pg 3 0 R') =>
  `<</Type/StructElem/S/${type}/P 20 0 R${more}/K[${kids}]>>`;

describe('parse_document of a tagged PDF', () => {
  it('follows the structure tree instead of the positions', async () => {
    const path = tagged('order', ['third', 'first', 'second'], {
      20: '<</Type/StructTreeRoot/K[21 0 R 22 0 R 23 0 R]/RoleMap<</Chapter/H1>>>>',
      21: element('Chapter', '1'),
      22: element('P', '2'),
      23: element('P', '0'),
    });
    expect((await parse(path)).text.split(/\s+/)).toEqual(['first', 'second', 'third']);
    const { text } = await parse(path, { format: 'markdown' });
    expect(text).toBe('# first\n\nsecond\n\nthird');
  });

  it('uses positions if the tree lacks most of the text', async () => {
    const path = tagged('sparse', ['third line', 'second line', 'first line'], {
      20: '<</Type/StructTreeRoot/K[21 0 R]>>',
      21: element('P', '0'),
    });
    expect((await parse(path)).text.split(/\s+/)[0]).toBe('first');
  });

  it('writes a table row by row, a list and a footnote', async () => {
    const path = tagged('parts', ['a', 'b', 'c', 'd', 'item', '1 note'], {
      20: '<</Type/StructTreeRoot/K[21 0 R 30 0 R 32 0 R]>>',
      21: element('Table', '22 0 R 23 0 R'),
      22: element('TR', '24 0 R 25 0 R'),
      23: element('TR', '26 0 R 27 0 R'),
      24: element('TH', '0'),
      25: element('TH', '1'),
      26: element('TD', '2'),
      27: element('TD', '3'),
      30: element('L', '31 0 R'),
      31: element('LI', '4'),
      32: element('Note', '5'),
    });
    const { text } = await parse(path, { format: 'markdown' });
    expect(text).toBe('| a | b |\n| --- | --- |\n| c | d |\n\n- item\n\n[^1]: note');
    expect((await parse(path)).text).toMatch(/^a {2}b\nc {2}d\n/);
  });
});

/** Makes a page with two columns of prose. A word and a sentence are split across the columns. */
const twoColumns = (name: string, below = '') => {
  const columns = [
    [
      'The first column of this page',
      'has four lines that describe its',
      'words, and each of them is so',
      'long that it ends with the arti-',
    ],
    [
      'cles that the second column of',
      'this page then goes on with. It',
      'ends with a line about perfor-',
      'mance and a few other things.',
    ],
  ];
  const shown = columns.flatMap((lines, column) =>
    lines.map((text, row) => `${72 + column * 240} ${700 - row * 14} moveto (${text}) show`),
  );
  return distilled(name, `/Helvetica 12 selectfont ${shown.join(' ')} ${below} showpage`);
};

describe('parse_document of a page with two columns', () => {
  it('treats bold names that are level as text, and single bold lines as headings', async () => {
    const body = Array.from(
      { length: 8 },
      (_, row) =>
        `72 ${660 - row * 14} moveto (This line of the body is as wide as the page, number ${row}) show`,
    );
    const path = distilled(
      'names',
      `/Helvetica-Bold 16 selectfont 72 780 moveto (A summary of this) show
      90 740 moveto (Ada Lovelace) show 330 740 moveto (Grace Hopper) show
      72 690 moveto (Abstract) show /Helvetica 12 selectfont ${body.join(' ')} showpage`,
    );
    const { text } = await parse(path, { format: 'markdown' });
    expect(text).toMatch(/^# A summary of this$/m);
    expect(text).toMatch(/^# Abstract$/m);
    expect(text).toMatch(/^Ada Lovelace$/m);
    expect(text).toMatch(/^Grace Hopper$/m);
  });

  it('joins a word and a paragraph that are split across columns', async () => {
    const path = twoColumns('columns');
    const { text } = await parse(path, { format: 'markdown' });
    expect(text).toContain('ends with the articles that the second column of this page');
    expect((await parse(path)).text).toContain('ends with the articles\nthat');
  });

  it('joins the parts of a word beside a table', async () => {
    const cells = [
      'Name',
      'Size',
      'Color',
      'Apple',
      '12',
      'red',
      'Pear',
      '30',
      'green',
      'Plum',
      '4',
      'blue',
    ];
    const table = cells.map((cell, at) => {
      const [x, y] = [72 + (at % 3) * 120, 500 - Math.floor(at / 3) * 14];
      return `${x} ${y} moveto (${cell}) show`;
    });
    const { text } = await parse(twoColumns('columns-and-table', table.join(' ')), {
      layout: true,
    });
    expect(text).toContain('Apple  12  red');
    expect(text).toContain('ends with a line about performance\nand a few');
  });
});

const TABLE = `/Helvetica 10 selectfont
${[
  ['Country', 'Capital', 'Area'],
  ['France', 'Paris', '551 500'],
  ['Germany', 'Berlin', '357 386'],
  ['Italy', 'Rome', '301 340'],
]
  .map((row, at) =>
    row
      .map((cell, column) => `${72 + column * 150} ${600 - at * 16} moveto (${cell}) show`)
      .join(' '),
  )
  .join('\n')}`;

describe('parse_document of a PDF without tags', () => {
  it('writes headings by size, lists and tables as Markdown', async () => {
    const path = distilled(
      'plain-structure',
      `/Helvetica 24 selectfont 72 720 moveto (Big title) show
/Helvetica 10 selectfont
72 680 moveto (A sentence of the body, which is long enough to be body text here.) show
72 667 moveto (It goes on in a second line of the same paragraph without an end.) show
72 640 moveto (1. first item) show
72 627 moveto (2. second item) show
${TABLE} showpage`,
    );
    expect((await parse(path, { format: 'markdown' })).text).toBe(`# Big title

A sentence of the body, which is long enough to be body text here. It goes on in a second line of the same paragraph without an end.

1. first item
2. second item

| Country | Capital | Area |
| --- | --- | --- |
| France | Paris | 551 500 |
| Germany | Berlin | 357 386 |
| Italy | Rome | 301 340 |`);
  });

  it('keeps a table row in one line of text', async () => {
    const { text } = await parse(distilled('rows', `${TABLE} showpage`));
    expect(text.split('\n')).toEqual([
      'Country  Capital  Area',
      'France  Paris  551 500',
      'Germany  Berlin  357 386',
      'Italy  Rome  301 340',
    ]);
  });

  it('does not treat columns of prose as a table', async () => {
    const line = (x: number, at: number) =>
      `${x} ${700 - at * 12} moveto (and so the long sentence runs ${at}) show`;
    const column = (x: number) => Array.from({ length: 12 }, (_, at) => line(x, at)).join('\n');
    const path = distilled(
      'prose',
      `/Helvetica 9 selectfont ${column(72)} ${column(320)} showpage`,
    );
    expect((await parse(path, { format: 'markdown' })).text).not.toContain('|');
  });

  it('finds a table directly below columns of prose', async () => {
    const line = (x: number, at: number) =>
      `${x} ${700 - at * 12} moveto (and so the long sentence runs ${at}) show`;
    const column = (x: number) => Array.from({ length: 6 }, (_, at) => line(x, at)).join('\n');
    const table = TABLE.replaceAll(/(\d{3}) moveto/g, (_, y) => `${Number(y) + 20} moveto`);
    const path = distilled(
      'below',
      `/Helvetica 10 selectfont ${column(72)} ${column(320)} ${table} showpage`,
    );
    expect((await parse(path, { format: 'markdown' })).text).toContain(
      '| France | Paris | 551 500 |',
    );
  });

  const CARGO = [
    ['Port', 'Goods', 'Remarks'],
    ['Hamburg', 'Coffee, tea and cocoa', 'Unloaded at night by the two old cranes'],
    ['Rotterdam', 'Oil', 'Nothing'],
    ['Le Havre or Brest', 'Wine and cheese in small barrels', 'To the customs house'],
    ['Lisbon', 'Cork', 'Dry storage until the end of March'],
  ];
  /** Splits text into lines of at most `most` characters. */
  const wrapped = (text: string, most = 12) =>
    text.split(' ').reduce<string[]>((lines, word) => {
      const last = lines.at(-1);
      if (last && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
      return lines;
    }, []);
  /** Returns the rows of CARGO with this padding. With `middle`, cells are centered vertically. */
  function cargo(padding: number, middle: boolean): string {
    let y = 700;
    return CARGO.flatMap((row) => {
      const cells = row.map((cell) => wrapped(cell));
      const height = Math.max(...cells.map((lines) => lines.length)) * 12;
      y -= height + padding;
      return cells.flatMap((lines, column) => {
        const down = middle ? (height - lines.length * 12) / 2 : 0;
        return lines.map(
          (line, at) => `${72 + column * 90} ${y + height - down - at * 12} moveto (${line}) show`,
        );
      });
    }).join('\n');
  }

  it.each([
    ['with space between the rows', cargo(8, false)],
    ['without space between the rows', cargo(0, false)],
    ['centered vertically', cargo(10, true)],
  ])('keeps multi-line cells in their rows: %s', async (name, drawing) => {
    const path = distilled(name.replaceAll(' ', '-'), `/Courier 10 selectfont ${drawing} showpage`);
    const { text } = await parse(path, { format: 'markdown' });
    expect(text.split('\n').filter((line) => /\w/.test(line))).toEqual(
      CARGO.map((row) => `| ${row.join(' | ')} |`),
    );
  });

  it('does not treat three columns of paragraphs as a table', async () => {
    const words = 'the ship came into our harbour at noon with a cargo of salt and oranges'.split(
      ' ',
    );
    const column = (x: number, lengths: readonly number[]) => {
      let y = 700;
      return lengths.flatMap((length, paragraph) => {
        const text = Array.from(
          { length },
          (_, at) => words[(at * at + at + x + paragraph * 5) % words.length],
        );
        y -= 8;
        return wrapped(text.join(' '), 26).map((line) => {
          y -= 12;
          return `${x} ${y} moveto (${line}) show`;
        });
      });
    };
    const columns = [
      column(72, [40, 61, 38]),
      column(206, [64, 22, 55]),
      column(341, [57, 57, 24]),
    ];
    const path = distilled(
      'three',
      `/Times-Roman 11 selectfont ${columns.flat().join('\n')} showpage`,
    );
    expect((await parse(path, { format: 'markdown' })).text).not.toContain('|');
  });

  const SHOP = [
    ['Name', 'City', 'Sold'],
    ['Ann', 'Rome', '12'],
    ['Bob', 'Oslo', '7'],
    ['Eva', 'Bern', '31'],
  ];
  const rowsAt = (x: number, top: number, step: number, leading: number) =>
    SHOP.flatMap((row, line) =>
      row.map((cell, at) => `${x + at * step} ${top - line * leading} moveto (${cell}) show`),
    ).join('\n');
  const prose = (x: number, top: number, count: number) =>
    Array.from(
      { length: count },
      (_, at) =>
        `${x} ${top - at * 12} moveto (and so the very long sentence number ${at} of it runs on) show`,
    ).join('\n');

  it.each([
    [
      'above which columns of prose end',
      `${prose(72, 712, 6)} ${prose(320, 712, 6)} ${rowsAt(72, 640, 150, 12)}`,
    ],
    ['whose ruled cells are close together', rowsAt(72, 700, 34, 14)],
    ['beside prose', `${rowsAt(72, 700, 60, 17)} ${prose(300, 763, 16)}`],
  ])('finds a table %s', async (name, drawing) => {
    const path = distilled(
      name.replaceAll(' ', '-'),
      `/Helvetica 10 selectfont ${drawing} showpage`,
    );
    const { text } = await parse(path, { format: 'markdown' });
    for (const row of SHOP) expect(text).toContain(`| ${row.join(' | ')} |`);
  });

  it('returns the blocks of each page with their boxes in points', async () => {
    const path = distilled(
      'boxes',
      '/Helvetica 10 selectfont 72 700 moveto (Some words) show showpage',
    );
    const { layout } = await parse(path, { layout: true });
    expect(layout).toHaveLength(1);
    const [{ page, width, blocks }] = layout as [Parsed['layout'][0]];
    expect({ page, width }).toEqual({ page: 1, width: 595 });
    const [left, top, right, bottom] = blocks[0]!.box as [number, number, number, number];
    expect(blocks[0]).toMatchObject({ type: 'paragraph', text: 'Some words' });
    expect(left).toBeCloseTo(72, 0);
    expect(right - left).toBeGreaterThan(40);
    expect(842 - 700).toBeGreaterThan(top);
    expect(842 - 700).toBeLessThan(bottom);
  });
});

describe('parse_document of selected pages', () => {
  const pages = (count: number) =>
    Array.from({ length: count }, (_, at) => `72 700 moveto (Page ${at + 1} here) show showpage`);

  it('separates pages in Markdown with blank lines', async () => {
    const { text } = await parse(distilled('two', pages(2).join('\n')), { format: 'markdown' });
    expect(text).toBe('Page 1 here\n\n--- Page 2 ---\n\nPage 2 here');
  });

  it('reads only these pages, under their original numbers', async () => {
    const path = distilled('nine', pages(9).join('\n'));
    const { text, metadata, warnings } = await parse(path, {
      pages: [
        [8, 99],
        [2, 2],
        [30, 30],
      ],
    });
    expect(text).toBe('Page 2 here\n--- Page 8 ---\nPage 8 here\n--- Page 9 ---\nPage 9 here');
    expect(metadata).toEqual({ format: 'pdf', pages: 9, words: 9 });
    expect(warnings).toEqual([
      'pages: The document has 9 pages, so the result does not contain 10-99, 30.',
    ]);
  });

  it('reads some pages of a file with more than 300', async () => {
    const path = distilled('many', pages(310).join('\n'));
    const { text } = await parse(path, { pages: [[305, 306]] });
    expect(text).toContain('Page 305 here\n--- Page 306 ---');
  });

  it('refuses a selection without a page', async () => {
    const path = distilled('two', pages(2).join('\n'));
    await expect(parse(path, { pages: [[5, 6]] })).rejects.toMatchObject({ status: 422 });
  });
});

describe('parse_document of pages without usable text', () => {
  it('lists image-only pages of a mixed PDF', async () => {
    const document = await PDFDocument.create();
    const image = await document.embedJpg((await jpegImage(60, 80)).data);
    document.addPage([200, 200]).drawText('Some words');
    document.addPage([60, 80]).drawImage(image);
    const { warnings } = await parse(put('mixed.pdf', await document.save()));
    expect(warnings).toEqual([expect.stringMatching(/^Page 2: there are only images.+ocr/)]);
  });

  it('lists pages whose glyphs have no Unicode mapping', async () => {
    const map =
      '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ' +
      '1 beginbfrange <20> <7e> <e020> endbfrange endcmap end';
    const path = put(
      'private.pdf',
      file({
        ...HELVETICA,
        1: '<</Type/Catalog/Pages 2 0 R>>',
        2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R${FONTS}>>`,
        5: stream('', 'BT /F1 12 Tf 72 700 Td (A line of private letters) Tj ET'),
        6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 8 0 R>>',
        8: stream('', map),
      }),
    );
    expect((await parse(path)).warnings).toEqual([expect.stringMatching(/^Page 1: some letters/)]);
  });
});

it('parse_document separates the entries of a table of contents', async () => {
  const document = await PDFDocument.create();
  const entries = `One ${'.'.repeat(30)} 2\nTwo ${'. '.repeat(20)}10\nand more text of the same paragraph`;
  document.addPage([400, 400]).drawText(entries, { size: 10, lineHeight: 12, x: 20, y: 300 });
  const { text } = await parse(put('contents.pdf', await document.save()), { format: 'markdown' });
  expect(text).toMatch(/^One \.+ 2\n\nTwo [. ]+ 10\n\nand more/);
});

it('parse_document does not mistake spaces for unreadable letters', async () => {
  const document = await PDFDocument.create();
  // TCPDF fills its page footer with spaces.
  document.addPage([400, 400]).drawText(`Chapter 1${' '.repeat(60)}page 2 / 3`);
  expect((await parse(put('footer.pdf', await document.save()))).warnings).toEqual([]);
});

describe('parse_document of a page that takes too long', () => {
  const page = (content: string) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${content}${FONTS}>>`;

  it('names a page whose content exceeds the inflation limit', async () => {
    const content = deflateSync(Buffer.alloc(80 * 2 ** 20, 'BT ET\n'));
    const path = put(
      'inflating.pdf',
      file({
        ...HELVETICA,
        1: '<</Type/Catalog/Pages 2 0 R>>',
        2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
        3: page('5 0 R'),
        4: page('8 0 R'),
        5: stream('', 'BT /F1 12 Tf 72 700 Td (Fine) Tj ET'),
        8: stream('/Filter/FlateDecode', content.toString('latin1')),
      }),
    );
    await expect(parse(path)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/^Page 2 takes too long.+"pages"/),
    });
    expect((await parse(path, { pages: [[1, 1]] })).text).toBe('Fine');
  });

  it('warns of a page whose compressed content is truncated, and not of a missing checksum', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `(Line ${at}) Tj 0 -1 Td`).join('\n');
    const content = deflateSync(`BT /F1 12 Tf 72 700 Td ${lines} ET`).toString('latin1');
    const whole = deflateSync('BT /F1 12 Tf 72 700 Td (Fine) Tj ET').toString('latin1');
    const path = put(
      'truncated-content.pdf',
      file({
        ...HELVETICA,
        1: '<</Type/Catalog/Pages 2 0 R>>',
        2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
        3: page('5 0 R'),
        4: page('8 0 R'),
        5: stream('/Filter/FlateDecode', whole.slice(0, -4)),
        8: stream('/Filter/FlateDecode', content.slice(0, content.length / 2)),
      }),
    );
    const { text, warnings } = await parse(path);
    expect(text).toMatch(/^Fine\n--- Page 2 ---\nLine 0/);
    expect(warnings).toEqual(['Page 2: the content is damaged, so text may be missing.']);
  });

  it('reads the text next to form fields that share kids', async () => {
    const depth = 24;
    const fields: Objects = {};
    for (let at = 0; at < depth; at += 1) {
      const own = 10 + at;
      const kids = at < depth - 1 ? `${own + 1} 0 R ${own + 1} 0 R 8 0 R` : '8 0 R';
      fields[own] = `<</FT/Tx${at > 0 ? `/Parent ${own - 1} 0 R` : ''}/Kids[${kids}]>>`;
    }
    const path = put(
      'tangled.pdf',
      file({
        ...HELVETICA,
        ...fields,
        1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
        2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        3: page('5 0 R/Annots[8 0 R]'),
        5: stream('', 'BT /F1 12 Tf 72 700 Td (Fine) Tj ET'),
        8: '<</Type/Annot/Subtype/Widget/Rect[9 9 99 30]/FT/Tx/T(a)>>',
      }),
    );
    expect((await parse(path)).text).toBe('Fine');
  });
});
