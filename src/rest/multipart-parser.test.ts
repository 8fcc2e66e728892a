import { describe, expect, it } from 'vitest';
import { boundaryOf, MultipartParser } from './multipart-parser.ts';
import { MultipartError, type PartHeader } from './part-header.ts';

const utf8 = new TextEncoder();

type Part = [header: PartHeader, content: Uint8Array];

function parse(body: string | Uint8Array, cuts: number[] = [], boundary = 'b'): Part[] {
  const bytes = typeof body === 'string' ? utf8.encode(body) : body;
  const parser = new MultipartParser(boundary);
  const parts: Part[] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    for (const event of parser.write(bytes.slice(from, to))) {
      if (event.kind === 'part') parts.push([event.part, new Uint8Array()]);
      if (event.kind === 'bytes') {
        const part = parts.at(-1)!;
        part[1] = new Uint8Array([...part[1], ...event.bytes]);
      }
    }
    from = to;
  }
  parser.end();
  return parts;
}

const text = (part: Part | undefined) => new TextDecoder().decode(part![1]);
const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const named = (parameters: string, content = '') =>
  parse(`${part(`Content-Disposition: form-data; ${parameters}`, content)}--b--`)[0]![0];

const BODY = [
  'a preamble\r\n--',
  '\r\n',
  part('Content-Disposition: form-data; name="one"', 'first\r\n--\r\n--a\r\n-'),
  part('content-type:text/plain; charset=UTF-8\r\nCONTENT-DISPOSITION:form-data;name=two', ''),
  part(
    'Content-Disposition: form-data; name="three"; filename="日本 €.txt"',
    '\r\r\n\r\n--bee\r\n--b-\r\n--b \r',
  ),
  '--b \t\r\nContent-Disposition: form-data; name="four"\r\n\r\n',
  part('Content-Disposition: form-data; name="five"', '\r\n'),
  '--b--\r\nan epilogue\r\n--b\r\n',
].join('');

const EXPECTED = [
  ['one', undefined, 'first\r\n--\r\n--a\r\n-'],
  ['two', undefined, ''],
  ['three', '日本 €.txt', '\r\r\n\r\n--bee\r\n--b-\r\n--b \r'],
  ['four', undefined, ''],
  ['five', undefined, '\r\n'],
];

const summary = (parts: Part[]) =>
  parts.map((each) => [each[0].name, each[0].filename, text(each)]);

describe('multipart-parser', () => {
  it('parses parts with a preamble, padding, look-alike boundaries, no content or an epilogue', () => {
    expect(summary(parse(BODY))).toEqual(EXPECTED);
  });

  it('gives the same result wherever the body is split', () => {
    const { length } = utf8.encode(BODY);
    for (let cut = 0; cut <= length; cut += 1) {
      expect(summary(parse(BODY, [cut]))).toEqual(EXPECTED);
      for (const second of [1, 2, 3, 5, 7]) {
        expect(summary(parse(BODY, [cut, Math.min(cut + second, length)]))).toEqual(EXPECTED);
      }
    }
  });

  it('gives the same result byte by byte', () => {
    const cuts = Array.from(utf8.encode(BODY).keys());
    expect(summary(parse(BODY, cuts))).toEqual(EXPECTED);
  });

  it('returns any bytes unchanged, in pieces of any size', () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    const alphabet = utf8.encode('\r\n--bx');
    for (let round = 0; round < 300; round += 1) {
      const content = Uint8Array.from({ length: random(200) }, () => alphabet[random(6)]!);
      if (new TextDecoder().decode(content).match(/(^|\r\n)--b([ \t]*\r\n|--|[ \t]*\r?$|-$)/))
        continue;
      const head = utf8.encode('--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n');
      const body = new Uint8Array([...head, ...content, ...utf8.encode('\r\n--b--')]);
      const cuts = Array.from({ length: 5 }, () => random(body.length)).sort((a, b) => a - b);
      expect([...parse(body, cuts)[0]![1]]).toEqual([...content]);
    }
  });

  it('parses names as browsers, curl and mail programs write them', () => {
    expect(named('name="a%22b%0D%0Ac"').name).toBe('a"b\r\nc');
    expect(named('name="f"; filename="a\\"b.txt"').filename).toBe('a"b.txt');
    expect(named('name="f"; filename="C:\\dir\\"').filename).toBe('C:\\dir\\');
    expect(named('name="f"; filename="a;b=c.txt"').filename).toBe('a;b=c.txt');
    expect(named('name=f; filename=plain name.txt').filename).toBe('plain name.txt');
    expect(named('name="f"; filename=""').filename).toBe('');
    expect(named('name="f"').filename).toBeUndefined();
    expect(named('NAME="f" ; FileName = "x"')).toMatchObject({ name: 'f', filename: 'x' });
  });

  it('prefers filename* when it is valid and ignores it otherwise', () => {
    expect(named(`name="f"; filename="x"; filename*=UTF-8'en'na%C3%AFve.txt`).filename).toBe(
      'naïve.txt',
    );
    expect(named(`name="f"; filename*=iso-8859-1''na%EFve.txt`).filename).toBe('naïve.txt');
    for (const wrong of [`UTF-8''%E0%A4%A`, `UTF-8''%FF`, `nothing''x`, 'x', `''`]) {
      expect(named(`name="f"; filename="x"; filename*=${wrong}`).filename).toBe('x');
    }
  });

  it('parses the type and charset of a part, and folded header lines', () => {
    const body = `${part('Content-Disposition: form-data;\r\n  name="f"\r\nContent-Type: Text/CSV; Charset="UTF-8"', '')}--b--`;
    expect(parse(body)[0]![0]).toEqual({
      name: 'f',
      filename: undefined,
      contentType: 'text/csv',
      charset: 'utf-8',
    });
  });

  it('rejects a body that ends early at any position', () => {
    const whole = `${part('Content-Disposition: form-data; name="a"', 'x')}--b--`;
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => parse(whole.slice(0, length))).toThrow(MultipartError);
    }
  });

  it('rejects parts without headers or a name, and broken, duplicate or unterminated headers', () => {
    const disposition = 'Content-Disposition: form-data; name="a"';
    for (const [wrong, message] of [
      ['--b\r\n\r\nx\r\n--b--', 'without headers'],
      [`${part('Content-Type: text/plain', 'x')}--b--`, 'without a name'],
      [`${part('Content-Disposition: form-data', 'x')}--b--`, 'without a name'],
      [`${part('no colon', 'x')}--b--`, 'a malformed header'],
      [`${part(`${disposition}\r\n${disposition}`, 'x')}--b--`, 'two headers'],
      [`${part(`${disposition}\r\nX: ${'x'.repeat(20_000)}`, 'x')}--b--`, 'more than 16 KB'],
      [`--b\r\n${'x'.repeat(20_000)}`, 'more than 16 KB'],
      [
        `${part(`${disposition}\r\nContent-Transfer-Encoding: base64`, 'eA==')}--b--`,
        'send the bytes unencoded',
      ],
    ] as const) {
      expect(() => parse(wrong)).toThrow(message);
    }
  });

  it('parses a boundary with or without quotes, and finds none when it is missing', () => {
    expect(boundaryOf('multipart/form-data; boundary=b')).toBe('b');
    expect(boundaryOf('multipart/form-data; charset=utf-8; Boundary="a b;\\"c"')).toBe('a b;"c');
    expect(boundaryOf('multipart/form-data; boundary=----=_Part_1.2; x=y')).toBe('----=_Part_1.2');
    for (const none of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
    ]) {
      expect(boundaryOf(none)).toBeNull();
    }
    expect(boundaryOf(`multipart/form-data; boundary=${'b'.repeat(300)}`)).toBeNull();
    expect(boundaryOf('multipart/form-data; boundary="a\rb"')).toBeNull();
  });

  it('accepts header values and header counts up to the limit and rejects more', () => {
    const disposition = 'Content-Disposition: form-data; name="a"';
    const filename = (length: number) => `${disposition}; filename="${'f'.repeat(length)}"`;
    const length = 1024 - 'form-data; name="a"; filename=""'.length;
    const parsed = parse(`${part(filename(length), 'x')}--b--`);
    expect(parsed[0]![0].filename).toHaveLength(length);
    const extra = (count: number) =>
      Array.from({ length: count }, (_, index) => `\r\nX-${index}: x`).join('');
    expect(parse(`${part(disposition + extra(15), 'x')}--b--`)).toHaveLength(1);
    for (const [wrong, message] of [
      [filename(length + 1), 'a header of more than 1024 characters'],
      [`${disposition}; x=${' '.repeat(4000)}"`, 'a header of more than 1024 characters'],
      [`${disposition}\r\nX: ${'x'.repeat(1025)}`, 'a header of more than 1024 characters'],
      [disposition + extra(16), 'more than 16 headers'],
    ] as const) {
      expect(() => parse(`${part(wrong, 'x')}--b--`)).toThrow(message);
    }
  });

  it('returns content that resembles a delimiter, wherever it is split', () => {
    const boundary = 'a'.repeat(20);
    const content = [
      '\r\n--aaaa',
      `\r\n--${'a'.repeat(19)}`,
      `\r\n--${boundary}x`,
      `\r\n--${boundary} \t-`,
      `\r\n--${boundary}${' '.repeat(257)}\r\n`,
      `\r\n--${boundary}-\r\n`,
      `\r\n--${boundary} \r\r\n`,
      '\r\r\n-',
    ].join('');
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="f"\r\n\r\n`;
    const body = `${head}${content}\r\n--${boundary}--`;
    for (let cut = 0; cut <= body.length; cut += 1) {
      expect(text(parse(body, [cut], boundary)[0])).toBe(content);
    }
    expect(text(parse(body, [...utf8.encode(body).keys()], boundary)[0])).toBe(content);
  });
});
