import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { encodeUrl } from './encode_url.ts';

const encode = async (url: unknown) => (await runTool(encodeUrl, { url })).value.encoded;

describe('encode_url', () => {
  it("escapes everything outside A-Z a-z 0-9 - _ . ! ~ * ' ( )", async () => {
    const retained = "ABCXYZabcxyz0189-_.!~*'()";
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code);
      const escaped = `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
      const isRetained = /[A-Za-z0-9]/.test(character) || retained.includes(character);
      expect(await encode(character)).toBe(isRetained ? character : escaped);
    }
  });

  it('also escapes : / ? # & =, since it encodes a component and not a whole URL', async () => {
    expect(await encode('https://a.example/?q=1&r#s')).toBe(
      'https%3A%2F%2Fa.example%2F%3Fq%3D1%26r%23s',
    );
  });

  it('writes a space as %20 and a plus as %2B', async () => {
    expect(await encode('a b+c')).toBe('a%20b%2Bc');
  });

  it('escapes the UTF-8 bytes of other characters', async () => {
    expect(await encode('ü€😀')).toBe('%C3%BC%E2%82%AC%F0%9F%98%80');
  });

  it('returns an empty string for an empty string', async () => {
    expect(await encode('')).toBe('');
  });

  it('rejects a lone surrogate and names the parameter', async () => {
    await expect(encode('a\udc00')).rejects.toMatchObject({ status: 400, param: 'url' });
  });

  it('rejects a missing or non-string url', async () => {
    await expect(encode(undefined)).rejects.toMatchObject({ status: 400, param: 'url' });
    await expect(encode(5)).rejects.toMatchObject({ status: 400, param: 'url' });
  });
});
