import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { decodeUrl } from './decode_url.ts';
import { decodeUrlHere } from './in-browser.ts';

const decode = async (encoded: unknown) => (await runTool(decodeUrl, { encoded })).value.decoded;

describe('decode_url', () => {
  it('decodes UTF-8 escapes in upper and lower case', async () => {
    expect(await decode('a%20b%2fc%2F%C3%BC%e2%82%ac%F0%9F%98%80')).toBe('a b/c/ü€😀');
  });

  it('leaves a plus sign unchanged', async () => {
    expect(await decode('a+b')).toBe('a+b');
  });

  it('leaves unescaped text unchanged', async () => {
    expect(await decode('https://a.example/ü?q=1')).toBe('https://a.example/ü?q=1');
    expect(await decode('')).toBe('');
  });

  it('decodes only once', async () => {
    expect(await decode('%2541')).toBe('%41');
  });

  it('returns a lone surrogate unchanged', async () => {
    expect(await decode('\ud800%41')).toBe('\ud800A');
  });

  it('rejects a malformed escape and reports its position', async () => {
    await expect(decode('100%zz')).rejects.toMatchObject({
      status: 400,
      param: 'encoded',
      message: expect.stringContaining('"%zz" at character 4'),
    });
  });

  it('rejects a truncated escape', async () => {
    for (const text of ['%', 'a%', 'a%4', '%E2%82']) {
      await expect(decode(text)).rejects.toMatchObject({ status: 400, param: 'encoded' });
    }
  });

  it('rejects escapes that are not UTF-8, including surrogates', async () => {
    for (const text of ['%FF', '%C3%28', '%ED%A0%80', '%C0%AF']) {
      await expect(decode(text)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('UTF-8'),
      });
    }
  });

  it('rejects a missing text', async () => {
    await expect(decode(undefined)).rejects.toMatchObject({ status: 400, param: 'encoded' });
  });
});

it('decode_url explains a plus sign in its page', async () => {
  const { value, warnings } = await runTool(decodeUrlHere, { encoded: 'a+b%20c' });
  expect(value).toEqual({ decoded: 'a+b c' });
  expect(warnings).toEqual([expect.stringContaining('The + was kept')]);
});
