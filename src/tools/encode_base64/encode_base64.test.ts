import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { encodeBase64 } from './encode_base64.ts';

const encode = async (text: unknown) => (await runTool(encodeBase64, { text })).value.encoded;

describe('encode_base64', () => {
  it('encodes the test vectors of RFC 4648 §10', async () => {
    const vectors: Record<string, string> = {
      '': '',
      f: 'Zg==',
      fo: 'Zm8=',
      foo: 'Zm9v',
      foob: 'Zm9vYg==',
      fooba: 'Zm9vYmE=',
      foobar: 'Zm9vYmFy',
    };
    for (const [text, encoded] of Object.entries(vectors)) expect(await encode(text)).toBe(encoded);
  });

  it('encodes UTF-8 with + and /, not the URL-safe alphabet', async () => {
    expect(await encode('ü>>>???€😀')).toBe('w7w+Pj4/Pz/igqzwn5iA');
  });

  it('encodes a megabyte', async () => {
    expect(((await encode('x'.repeat(2 ** 20))) as string).length).toBe(1_398_104);
  });

  it('rejects a lone surrogate and names the parameter', async () => {
    await expect(encode('\ud800')).rejects.toMatchObject({ status: 400, param: 'text' });
  });

  it('rejects a missing or non-string text', async () => {
    await expect(encode(undefined)).rejects.toMatchObject({ status: 400, param: 'text' });
    await expect(encode(5)).rejects.toMatchObject({ status: 400, param: 'text' });
  });
});
