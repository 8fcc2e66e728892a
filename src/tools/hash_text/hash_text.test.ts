import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { memoryFile } from '../../core/input-file.ts';
import { hashTextHere } from './in-browser.ts';

const hash = (text: string, compareWith?: string) =>
  runTool(hashTextHere, compareWith === undefined ? { text } : { text, compareWith });

describe('hash_text', () => {
  it('computes the digest of every algorithm in the browser, the most useful first', async () => {
    const { value } = await hash('abc');
    expect(Object.entries(value.digests as object)).toEqual([
      ['SHA-256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
      [
        'SHA-384',
        'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
      ],
      [
        'SHA-512',
        'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      ],
      ['SHA-1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
      ['MD5', '900150983cd24fb0d6963f7d28e17f72'],
    ]);
    expect(value).toMatchObject({ of: 'the text', matches: undefined });
  });

  it('hashes the bytes of a file instead of the text', async () => {
    const files = [memoryFile('a.bin', new Uint8Array([0xff, 0x00]))];
    const { value } = await runTool(hashTextHere, { text: 'abc' }, { files });
    expect(value.of).toBe('a.bin');
    expect(value.digests).toMatchObject({
      'SHA-256': 'ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f',
      MD5: 'e0e8bfafbb0689563b2fba789c97b3cc',
    });
  });

  it('computes the HMACs of text and of a file with a key, without MD5', async () => {
    // The second test case of RFC 4231.
    const text = 'what do ya want for nothing?';
    const sha256 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const files = [memoryFile('a.txt', new TextEncoder().encode(text))];
    const parameters = { text, key: 'Jefe', compareWith: `sha256=${sha256}` };
    for (const options of [{}, { files }]) {
      const { value } = await runTool(hashTextHere, parameters, options);
      expect(value).toMatchObject({ isHmac: true, matches: ['SHA-256'] });
      expect(value.digests).toMatchObject({
        'SHA-256': sha256,
        'SHA-1': 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79',
      });
      expect(Object.keys(value.digests as object)).toHaveLength(4);
    }
    const other = await runTool(hashTextHere, { key: 'other' }, { files });
    expect(other.value.digests).not.toMatchObject({ 'SHA-256': sha256 });
  });

  it('needs text or a file', async () => {
    await expect(runTool(hashTextHere, {})).rejects.toMatchObject({ status: 400, param: 'text' });
  });

  it.each([
    ['900150983cd24fb0d6963f7d28e17f72', ['MD5']],
    [' A9993E364706816ABA3E25717850C26C9CD0D89D\n', ['SHA-1']],
    ['90 01 50 98 3c d2 4f b0 d6 96 3f 7d 28 e1 7f 72', ['MD5']],
    ['sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', ['SHA-256']],
    ['ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc.txt', ['SHA-256']],
    ['v1,ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=', ['SHA-256']],
    ['ba7816bf8f01cfea414140de5dae2223', []],
    ['900150983cd24fb0d6963f7d28e17f73', []],
    ['  ', undefined],
  ])('compares the digests with %j', async (compareWith, matches) => {
    expect((await hash('abc', compareWith)).value.matches).toEqual(matches);
  });
});
