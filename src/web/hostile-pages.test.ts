import { describe, expect, it } from 'vitest';
import { bytesOf, FAMILIES, hostilePage } from '../../test/support/hostile-pages.ts';
import { decodeHtml } from './charset.ts';
import { readHead } from './html-head.ts';
import { candidatesOf, manifestIcons } from './icon-candidates.ts';
import { measureImage } from './image-size.ts';
import { factsIn } from './linked-data.ts';
import { metadataOf } from './page-metadata.ts';

const KB = 1024;
const ADDRESS = new URL('http://page.test/dir/');
const utf8 = new TextEncoder();
const jsonBytes = (value: unknown) => utf8.encode(JSON.stringify(value)).byteLength;

async function read(family: string, size: number, seed: number) {
  const { contentType, text } = hostilePage(family, size, seed);
  const html = await decodeHtml(bytesOf(text), contentType);
  const head = await readHead(html, ADDRESS, contentType.includes('xhtml'));
  return { head, found: metadataOf(head, ADDRESS.href, ADDRESS.href) };
}

// A parser that runs in quadratic time would exceed the test's time limit.
describe.each(Object.keys(FAMILIES))('a page of %s', (family) => {
  const seeds = family.startsWith('a mixture') ? [1, 2, 3] : [1];

  it.each(seeds)('is parsed to a result of limited size, seed %i', async (seed) => {
    const { head, found } = await read(family, 400 * KB, seed);
    expect(head.metas.length).toBeLessThanOrEqual(1000);
    expect(head.links.length).toBeLessThanOrEqual(1000);
    expect(head.base.href.length).toBeLessThanOrEqual(8192);
    expect(head.linkedData.length).toBeLessThanOrEqual(20);
    expect(jsonBytes(found.metadata)).toBeLessThan(520 * KB);
    const { feeds, openGraph, twitter, ...fields } = found.metadata;
    const values = [...feeds, ...Object.values({ ...openGraph, ...twitter, ...fields })];
    for (const value of values) expect(value.length).toBeLessThanOrEqual(8192);
    for (const { url, declaredSizes = '' } of candidatesOf(head, ADDRESS, [])) {
      expect(url.length).toBeLessThanOrEqual(8192);
      expect(declaredSizes.length).toBeLessThanOrEqual(200);
    }
  });
});

describe('incomplete page metadata', () => {
  it.each(['a long value', 'long values', 'a long base and feeds', 'many links'])(
    'causes a warning: %s',
    async (family) => {
      const { found } = await read(family, 1000 * KB, 1);
      expect(found.warnings.join()).toMatch(/missing|Only the first part/);
    },
  );

  it('omits everything after too many or too deeply nested tags', async () => {
    for (const family of ['nested elements', 'ends of nothing']) {
      const { found } = await read(family, 400 * KB, 1);
      expect(found.warnings.join()).toMatch(/first part/);
    }
  });

  it('omits only a long value and keeps the rest', async () => {
    const html = `<base href="/${'b'.repeat(9000)}"><title>${'t'.repeat(9000)}</title>
      <meta name=description content="${'d'.repeat(8193)}"><meta property=og:title content="Short">
      <meta name=generator content="${'g'.repeat(8192)}"><link rel=canonical href="x">`;
    const { metadata, warnings } = metadataOf(await readHead(html, ADDRESS), 'u', 'u');
    expect(metadata).toMatchObject({
      title: 'Short',
      generator: 'g'.repeat(8192),
      canonical: 'http://page.test/dir/x',
    });
    expect(metadata).not.toHaveProperty('description');
    expect(warnings).toHaveLength(1);
  });

  it('does not occur for long content that is not metadata', async () => {
    const html = `<title>Honest</title><meta name=config content="${'c'.repeat(20_000)}">
      <link rel=stylesheet href="data:text/css,${'s'.repeat(20_000)}"><body data-state="${'j'.repeat(50_000)}">`;
    const { metadata, warnings } = metadataOf(await readHead(html, ADDRESS), 'u', 'u');
    expect([metadata.title, warnings]).toEqual(['Honest', []]);
  });
});

describe('a web manifest', () => {
  const icons = (list: string) => manifestIcons(`{"icons":[${list}]}`, ADDRESS);

  it('lists up to 200 icons with addresses of up to 8,192 characters', () => {
    expect(icons(`${'{"src":"a"},'.repeat(3000)}1`)).toHaveLength(200);
    expect(icons(`{"src":"${'a'.repeat(8193)}"},{"src":"b"}`)).toHaveLength(1);
  });

  it('is ignored if it is too deep, has too many elements or never ends', () => {
    for (const list of ['['.repeat(500_000), '{},'.repeat(300_000), '{"a":{"b":'.repeat(90_000)]) {
      expect(icons(`${list}1`)).toEqual([]);
    }
    expect(icons(`${'{},'.repeat(20_001)}{"src":"a"}`)).toEqual([]);
  });
});

describe('measuring bytes that imitate an image', () => {
  const MAX_BYTES = 2 ** 21;
  const beginning = (...bytes: number[]) => {
    const image = new Uint8Array(MAX_BYTES).fill(0xff);
    image.set(bytes);
    return image;
  };

  it.each([
    ['a JPEG with only fill bytes', beginning(0xff, 0xd8)],
    [
      'a JPEG with only empty segments',
      new Uint8Array(MAX_BYTES)
        .fill(0)
        .map((_, at) => (at % 4 < 2 ? [0xff, 0xd8][at]! || 0xff : 0)),
    ],
    ['a GIF without a size', utf8.encode('GIF8')],
    ['a BMP without a size', utf8.encode('BM')],
    ...['<!--', '<?', '<!doctype ', '<!doctype [', '<!doctype>', '<!---->', '<??>', ' '].map(
      (piece): [string, Uint8Array] => [
        `a drawing behind ${piece}`,
        utf8.encode(piece.repeat(MAX_BYTES / 16)),
      ],
    ),
  ])('finds no image: %s', (_, bytes) => {
    expect(measureImage(bytes)).toBeNull();
  });

  it('reports the size that the bytes state', () => {
    expect(measureImage(beginning(0, 0, 1, 0, 0xff, 0xff))).toMatchObject({ format: 'ico' });
    expect(measureImage(beginning(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))).toEqual({
      format: 'png',
      width: 2 ** 32 - 1,
      height: 2 ** 32 - 1,
    });
  });
});

it('factsIn reads a long address once, however many nodes refer to it', () => {
  let read = 0;
  const { trim } = String.prototype;
  String.prototype.trim = function (this: string) {
    if (this.length === 150_000) read += 1;
    return trim.call(this);
  };
  try {
    const image = { '@id': 'image', url: ' '.repeat(150_000) };
    const nodes = Array.from({ length: 4000 }, () => ({ image: { '@id': 'image' } }));
    const facts = factsIn([JSON.stringify([image]), JSON.stringify(nodes)]);
    expect([facts.image, read]).toEqual([undefined, 1]);
  } finally {
    String.prototype.trim = trim;
  }
});
