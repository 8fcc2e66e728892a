import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { decodeBase64 } from './decode_base64.ts';
import { decodeBase64Here } from './in-browser.ts';

const decode = async (encoded: unknown) => (await runTool(decodeBase64, { encoded })).value.decoded;

const refusal = (part: string) => ({
  status: 400,
  param: 'encoded',
  message: expect.stringContaining(part),
});

describe('decode_base64', () => {
  it('decodes the test vectors of RFC 4648 §10', async () => {
    const vectors = ['', 'Zg==', 'Zm8=', 'Zm9v', 'Zm9vYg==', 'Zm9vYmE=', 'Zm9vYmFy'];
    for (const [length, encoded] of vectors.entries()) {
      expect(await decode(encoded)).toBe('foobar'.slice(0, length));
    }
  });

  it('decodes every encoded text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        fc.pre(text.isWellFormed());
        expect(await decode(new TextEncoder().encode(text).toBase64())).toBe(text);
      }),
    );
  });

  it('tolerates surrounding whitespace', async () => {
    expect(await decode(' \t\r\nZm9v\n\n ')).toBe('foo');
  });

  it('tolerates missing padding, complete or partial', async () => {
    expect(await decode('Zg')).toBe('f');
    expect(await decode('Zg=')).toBe('f');
    expect(await decode('Zm8')).toBe('fo');
  });

  it('rejects superfluous padding', async () => {
    for (const text of ['Zm9v=', 'Zg===', 'Zm8==', '=', '====', 'Zg==Zg==']) {
      await expect(decode(text)).rejects.toMatchObject({ status: 400, param: 'encoded' });
    }
    await expect(decode('Zm9v=')).rejects.toMatchObject(refusal('too much padding'));
  });

  it('rejects the URL-safe alphabet and names the characters to replace', async () => {
    expect(await decode('w7w+Pj4/Pz8=')).toBe('ü>>>???');
    await expect(decode('w7w-Pj4/Pz8=')).rejects.toMatchObject(refusal('URL-safe'));
    await expect(decode('w7w+Pj4_Pz8=')).rejects.toMatchObject(refusal('URL-safe'));
  });

  it('rejects inner whitespace and other invalid characters with their position', async () => {
    await expect(decode('Zm9v\nYmFy')).rejects.toMatchObject(refusal('"\\n" at character 5'));
    await expect(decode('Zm9v!')).rejects.toMatchObject(refusal('"!" at character 5'));
    await expect(decode('Zmé=')).rejects.toMatchObject(refusal('"é" at character 3'));
  });

  it('rejects a single trailing character', async () => {
    await expect(decode('Zm9vY')).rejects.toMatchObject(refusal('5 characters'));
  });

  it('rejects nonzero bits after the last byte, which encoding would not produce', async () => {
    await expect(decode('Zh==')).rejects.toMatchObject(refusal('unused bits'));
    await expect(decode('Zm9')).rejects.toMatchObject(refusal('unused bits'));
  });

  it('rejects bytes that are not UTF-8 and works again afterwards', async () => {
    for (const text of ['/w==', '7aCA', 'wK8=', '4oI=']) {
      await expect(decode(text)).rejects.toMatchObject(refusal('not UTF-8'));
    }
    expect(await decode('Zm9v')).toBe('foo');
  });

  it('keeps a byte-order mark in the content', async () => {
    expect(await decode('77u/YQ==')).toBe('\ufeffa');
  });

  it('decodes characters that several pieces share', async () => {
    // The decoder starts a new piece after 49,152 bytes.
    for (const before of ['', 'a', 'aa', 'aaa']) {
      const text = `${before}${'😀'.repeat(40_000)}`;
      expect((await decode(new TextEncoder().encode(text).toBase64())) === text).toBe(true);
    }
  });

  it('finds what is wrong in a later piece, and a fault of the Base64 before one of the text', async () => {
    const piece = 'eHh4'.repeat(16_384);
    await expect(decode(`${piece}/w==`)).rejects.toMatchObject(refusal('not UTF-8'));
    await expect(decode(`${piece}4oI=`)).rejects.toMatchObject(refusal('not UTF-8'));
    await expect(decode(`/w${piece}!`)).rejects.toMatchObject(refusal('"!" at character 65539'));
    await expect(decode(`${piece}Zh==`)).rejects.toMatchObject(refusal('unused bits'));
    await expect(decode(`${piece}Z`)).rejects.toMatchObject(refusal('65537 characters'));
  });

  it('decodes 5 MB in linear time', async () => {
    const start = Date.now();
    expect(((await decode('eHh4'.repeat(2 ** 20 + 2 ** 18))) as string).length).toBe(3_932_160);
    expect(Date.now() - start).toBeLessThan(60_000);
  });

  it('rejects a missing or non-string text', async () => {
    await expect(decode(undefined)).rejects.toMatchObject({ status: 400, param: 'encoded' });
    await expect(decode(5)).rejects.toMatchObject({ status: 400, param: 'encoded' });
  });
});

describe('decode_base64 in its page', () => {
  const decodeHere = async (encoded: string) =>
    (await runTool(decodeBase64Here, { encoded })).value.decoded;

  it('accepts line breaks, the URL-safe alphabet and data URIs', async () => {
    expect(await decodeHere(' SGVs\r\nbG8s IHdv\ncmxkIQ== ')).toBe('Hello, world!');
    expect(await decodeHere('w7_Dvj8-')).toBe('ÿþ?>');
    expect(await decodeHere('data:text/plain;charset=utf-8;base64,SGVsbG8')).toBe('Hello');
  });

  it('recognizes a token', async () => {
    const refused = decodeHere('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln');
    await expect(refused).rejects.toMatchObject(refusal('Use Decode JWT'));
  });

  it('names a position only if it is a position in the entered text', async () => {
    await expect(decodeHere('SGVs!')).rejects.toMatchObject(refusal('"!" at character 5'));
    await expect(decodeHere('SG\nVs!')).rejects.toMatchObject(
      refusal('"!" is not in the alphabet'),
    );
  });

  it('returns an image as a data URI', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const image = { dataUrl: `data:image/png;base64,${png}`, format: 'png', size: 70 };
    for (const encoded of [png, `data:image/png;base64,${png}`, png.replaceAll('=', '')])
      expect((await runTool(decodeBase64Here, { encoded })).value).toEqual(image);
  });

  it('names the images that it shows if the bytes are no image and no text', async () => {
    await expect(decodeHere('/w==')).rejects.toMatchObject(refusal('contains binary data'));
    const pdf = new Uint8Array([...new TextEncoder().encode('%PDF-1.7\n%'), 0xe2, 0xe3]);
    await expect(decodeHere(pdf.toBase64())).rejects.toMatchObject(refusal('contains a PDF'));
  });

  it('reports a fault of the Base64 of an image', async () => {
    await expect(decodeHere('iVBORw0KGgoAAAA!')).rejects.toMatchObject(refusal('"!"'));
    await expect(decodeHere('iVBORw0KGh==')).rejects.toMatchObject(refusal('unused bits'));
  });
});
