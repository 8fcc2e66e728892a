import { expect, it } from 'vitest';
import { PdfDamage } from './objects.ts';
import { ascii85, asciiHex, lzw, runLength } from './old-filters.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

it('the LZW decoder decodes the example of the standard, section 7.4.4.2', () => {
  const data = Uint8Array.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]);
  expect([...lzw(data, true, 100)]).toEqual([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
});

it('the decoders support base 85, hexadecimal digits and runs', () => {
  expect(text(ascii85(Buffer.from('87cURD]i,"Ebo80~>')))).toBe('Hello World!');
  expect([...ascii85(Buffer.from('z~>'))]).toEqual([0, 0, 0, 0]);
  expect(text(asciiHex(Buffer.from('48 65 6C6c6F7>')))).toBe('Hellop');
  expect(text(runLength(Uint8Array.of(1, 65, 66, 254, 67, 128), 100))).toBe('ABCCC');
});

it('the decoders stop at their limit and at damaged data', () => {
  expect(() => runLength(Uint8Array.of(129, 65, 128), 100)).toThrow(PdfDamage);
  expect(() => ascii85(Buffer.from('\x7f'))).toThrow(PdfDamage);
  expect(() => lzw(Uint8Array.of(0xff, 0xff), true, 100)).toThrow(PdfDamage);
});
