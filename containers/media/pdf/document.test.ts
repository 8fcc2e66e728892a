/** Tests the reader and incremental updates on small handwritten files. */
import { describe, expect, it } from 'vitest';
import { isPdf, pdfHeaderOffset } from '../../../src/lib/magic-bytes.ts';
import { withoutPredictor } from '../png/predictor.ts';
import { Destinations } from './destinations.ts';
import { PdfDocument } from './document.ts';
import { IncrementalUpdate } from './incremental-update.ts';
import { dictionary, name, PdfDamage, PdfReference, PdfStream, PdfString } from './objects.ts';
import { prunedOutlines, readOutlines } from './outlines.ts';
import { readPages } from './pages.ts';
import { Parser } from './parser.ts';
import { rebuiltTail } from './rebuild.ts';
import { serialize } from './serialize.ts';

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const parse = (text: string) => new Parser(latin(text)).value();
const open = (text: string | Uint8Array) =>
  new PdfDocument(typeof text === 'string' ? latin(text) : text);

type Objects = Record<number, string>;

const OBJECTS: Objects = {
  1: '<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/Names<</Dests 9 0 R>>/Dests<</old[4 0 R/Fit]>>>>',
  2: '<</Type/Pages/Kids[3 0 R 5 0 R]/Count 99>>',
  3: '<</Type/Page/Parent 2 0 R>>',
  4: '<</Type/Page/Parent 5 0 R>>',
  5: '<</Type/Pages/Parent 2 0 R/Kids[4 0 R]/Count 1>>',
  6: '<</First 7 0 R/Last 8 0 R/Count 1>>',
  7: '<</Title(One)/Parent 6 0 R/Next 8 0 R/A<</S/URI/URI(https://example.org/)>>/First 10 0 R/Last 10 0 R/Count -1>>',
  8: '<</Title<FEFF00E9>/Parent 6 0 R/Prev 7 0 R/Dest(named)/C[1 0 0]/F 2>>',
  9: '<</Kids[<</Limits[(named)(named)]/Names[(named)<</D[1/XYZ 1 2 null]>>]>>]>>',
  10: '<</Title(Below)/Parent 7 0 R/Dest/old>>',
};

function classic(objects: Objects = OBJECTS, trailer = ''): string {
  let text = '%PDF-1.7\n';
  const size = Math.max(...Object.keys(objects).map(Number)) + 1;
  const rows = Array.from({ length: size }, () => '0000000000 65535 f \n');
  for (const [number, object] of Object.entries(objects)) {
    rows[Number(number)] = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const end = `trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`;
  return `${text}xref\n0 ${size}\n${rows.join('')}${end}`;
}

/** Returns a file with the same objects in an object stream. Our writer adds them to an empty file. */
function compressed(): Uint8Array {
  const row = latin('\x01\x00\x09\x00\x00');
  const start =
    '%PDF-1.7\n11 0 obj\n<</Type/XRef/Size 12/Root 1 0 R/W[1 2 2]/Index[11 1]/Length 5>>\nstream\n';
  const empty = `${start}${String.fromCharCode(...row)}\nendstream\nendobj\nstartxref\n9\n%%EOF\n`;
  const base = open(empty);
  const update = new IncrementalUpdate(base);
  for (const [number, object] of Object.entries(OBJECTS)) {
    update.set(new PdfReference(Number(number), 0), parse(object));
  }
  return joined(base.bytes, update.build());
}

function joined(one: Uint8Array, two: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + two.length);
  all.set(one);
  all.set(two, one.length);
  return all;
}

describe('PDF objects', () => {
  it.each([
    '<</A[1 -2 3.5 true false null]/B#20C(x)/D 1 0 R>>',
    '[1 0 R 2 3 4 0 R]',
    '<</A<</B[[]]>>>>',
  ])('such as %s are written as they were read', (text) => {
    expect(serialize(parse(serialize(parse(text))))).toBe(serialize(parse(text)));
  });

  it('with escapes, octal codes and line ends in strings follow the standard', () => {
    const string = parse('(a\\(b\\)(c)\\101\\7\\n\\\r\nd\r\ne)');
    expect(string).toEqual(new PdfString(latin('a(b)(c)A\x07\nd\ne')));
    expect(parse('<48 65 6C6C 7>')).toEqual(new PdfString(latin('Hellp')));
  });

  it('include numbers in every notation, and malformed numbers are 0', () => {
    expect(parse('[+1 -.5 4. 0.001 --3 .]')).toEqual([1, -0.5, 4, 0.001, -3, 0]);
  });

  it('are written with all digits of numbers, without exponents', () => {
    const text = '[793.700787401575 -.00000000123 10000000000000000000000 .3]';
    expect(serialize(parse(text))).toBe(text);
    expect(serialize([0.1 + 0.2, -1e-30])).toBe('[.3 0]');
  });

  it.each(['[', '<<', '(a', '<4', '<</A>>', '<<1 2>>', '}', ''])(
    'such as %j are damaged',
    (text) => {
      expect(() => parse(text)).toThrow(PdfDamage);
    },
  );

  it('nested beyond the limit are damaged instead of overflowing the stack', () => {
    expect(() => parse('['.repeat(1e6))).toThrow(PdfDamage);
    expect(() => parse('<</A'.repeat(1e6))).toThrow(PdfDamage);
  });
});

describe('a document', () => {
  it.each([
    ['a cross-reference table', () => latin(classic())],
    ['a cross-reference stream', compressed],
    ['bytes before its header', () => latin(`junk\n${classic()}`)],
  ])('with %s has its pages, outlines and destinations', (_, make) => {
    const document = open(make());
    const pages = readPages(document);
    expect(pages.list.map((page) => page.reference.number)).toEqual([3, 4]);
    const destinations = new Destinations(document, pages);
    expect(destinations.resolve(new PdfString(latin('named')))).toEqual({
      pageIndex: 1,
      view: [name('XYZ'), 1, 2, null],
    });
    const [one, two] = readOutlines(document, destinations);
    expect(one).toMatchObject({ open: false, destination: undefined });
    expect(serialize(one?.action ?? null)).toContain('https://example.org/');
    expect(one?.children[0]).toMatchObject({ destination: { pageIndex: 1 } });
    expect(two).toMatchObject({ color: [1, 0, 0], flags: 2, destination: { pageIndex: 1 } });
    expect(two?.title).toEqual(new PdfString(latin('\xfe\xff\x00\xe9')));
  });

  it('keeps the outlines that point to selected pages, and their ancestors', () => {
    const document = open(classic());
    const items = readOutlines(document, new Destinations(document, readPages(document)));
    expect(prunedOutlines(items, (index) => index === 0)).toEqual([]);
    const retained = prunedOutlines(items, (index) => index === 1);
    expect(retained).toHaveLength(2);
    expect(retained[0]?.children).toHaveLength(1);
  });

  it('reads a hybrid file through its hidden stream', () => {
    const objects = { ...OBJECTS };
    delete objects[3];
    const base = classic(objects);
    const hidden = base.length;
    const location = String.fromCharCode(hidden >> 8, hidden & 255);
    const object = '3 0 obj\n<</Type/Page/Parent 2 0 R>>\nendobj\n';
    const at = hidden + object.length;
    const stream = `20 0 obj\n<</Type/XRef/Size 21/W[1 2 1]/Index[3 1]/Length 4>>\nstream\n\x01${location}\x00\nendstream\nendobj\n`;
    const start = base.lastIndexOf('xref\n0');
    const table = base.slice(start, base.indexOf('startxref', start));
    const moved = table.replace('/Root', `/XRefStm ${at}/Root`);
    const end = `startxref\n${at + stream.length}\n%%EOF\n`;
    const document = open(`${base}${object}${stream}${moved}${end}`);
    expect(readPages(document).list).toHaveLength(2);
  });

  it.each([
    [
      'itself',
      () =>
        classic(OBJECTS, '/Prev 0').replace(
          /\/Prev 0>>\nstartxref\n(\d+)/,
          '/Prev $1>>\nstartxref\n$1',
        ),
    ],
    ['nothing', () => classic()],
  ])('whose Prev points to %s is read once', (_, make) => {
    expect(readPages(open(make())).list).toHaveLength(2);
  });

  it.each([
    ['a cyclic page tree', { ...OBJECTS, 5: '<</Type/Pages/Kids[2 0 R]>>' }],
    ['a page listed twice', { ...OBJECTS, 5: '<</Type/Pages/Kids[3 0 R]>>' }],
    ['no pages', { ...OBJECTS, 2: '<</Type/Pages/Kids[]/Count 5>>' }],
    ['a missing page', { ...OBJECTS, 5: '<</Type/Pages/Kids[77 0 R]>>' }],
  ])('with %s is damaged', (_, objects) => {
    expect(() => readPages(open(classic(objects)))).toThrow(PdfDamage);
  });

  it('with cyclic outlines and name trees is read', () => {
    const objects = {
      ...OBJECTS,
      8: '<</Title(b)/Next 7 0 R/First 7 0 R/Dest(nowhere)>>',
      9: '<</Kids[9 0 R 9 0 R]>>',
    };
    const document = open(classic(objects));
    expect(readOutlines(document, new Destinations(document, readPages(document)))).toHaveLength(2);
  });

  it('with cyclic references or a length that refers to itself is damaged', () => {
    const document = open(
      classic({ ...OBJECTS, 6: '7 0 R', 7: '6 0 R', 8: '<</Length 8 0 R>>stream\n\nendstream' }),
    );
    expect(() => document.resolve(new PdfReference(6, 0))).toThrow(PdfDamage);
    expect(() => document.resolve(new PdfReference(8, 0))).toThrow(PdfDamage);
  });

  it.each(['', '%PDF-1.7', 'hello', `%PDF-1.7\nstartxref\n99999\n%%EOF`])(
    '%j is damaged',
    (text) => {
      expect(() => open(text)).toThrow(PdfDamage);
    },
  );

  it('has its header within the first 1,024 bytes', () => {
    expect(pdfHeaderOffset(latin(`${' '.repeat(1019)}%PDF-1.4`))).toBe(1019);
    expect(pdfHeaderOffset(latin(`${' '.repeat(1020)}%PDF-1.4`))).toBe(-1);
    expect(isPdf(latin('%PDF-'))).toBe(true);
    expect(isPdf(latin('%PDF'))).toBe(false);
    expect(isPdf(latin('PK\x03\x04 a.pdf %PDF-1.4'))).toBe(false);
  });

  it('is decoded with all PNG predictors', () => {
    const rows = [0, 1, 2, 1, 1, 1, 2, 1, 1, 3, 1, 1, 4, 1, 1];
    expect([...withoutPredictor(Uint8Array.from(rows), 2, 1)]).toEqual([
      1, 2, 1, 2, 2, 3, 2, 3, 3, 4,
    ]);
  });
});

describe('an incremental update', () => {
  it.each([
    ['a cross-reference table', () => latin(classic())],
    ['a cross-reference stream', compressed],
  ])('changes and adds objects of a file with %s', (_, make) => {
    const document = open(make());
    const update = new IncrementalUpdate(document);
    const page = new PdfReference(3, 0);
    const stream = new PdfStream(dictionary({ Kind: name('x') }), latin('content'));
    const added = update.add(stream);
    update.set(page, dictionary({ Type: name('Page'), Contents: added }));
    expect(update.current(page)).toBeInstanceOf(Map);
    const changed = open(joined(document.bytes, update.build()));
    expect(readPages(changed).list).toHaveLength(2);
    const contents = changed.resolve(readPages(changed).list[0]?.dictionary.get('Contents'));
    expect(contents).toMatchObject({ encoded: latin('content') });
    expect(changed.trailer.get('Prev')).toBe(document.crossReference.start);
  });
});

describe('a file without its end', () => {
  it.each([
    ['plain objects', () => latin(classic()), 'xref\n0'],
    ['object streams', compressed, 'startxref'],
  ])('with %s gets a trailer that names its catalog', (_, make, cut) => {
    const text = String.fromCharCode(...make());
    const tail = rebuiltTail(latin(text.slice(0, text.lastIndexOf(cut))));
    const added = tail?.map((piece) => String.fromCharCode(...piece)).join('');
    expect(added).toContain('/Root 1 0 R');
  });

  it('gets no more bytes than it had, even if the objects of a stream overlap', () => {
    const heads = Array.from({ length: 200 }, (_, index) => `${index + 2} ${(index % 2) * 900}`);
    const head = `${heads.join(' ')} `;
    const data = head + '<</A 1>> '.repeat(200);
    const stream = `<</Type/ObjStm/N 200/First ${head.length}>>stream\n${data}\nendstream endobj`;
    const text = `1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n300 0 obj${stream}`;
    const tail = rebuiltTail(latin(text))!;
    expect(tail.reduce((sum, piece) => sum + piece.length, 0)).toBeLessThan(text.length);
  });

  it('is refused if it was encrypted or has no catalog', () => {
    expect(
      rebuiltTail(latin('1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\n2 0 obj <</Filter/Standard>>')),
    ).toBeUndefined();
    expect(rebuiltTail(latin('1 0 obj\n<</Type/Page>>\nendobj'))).toBeUndefined();
  });
});
