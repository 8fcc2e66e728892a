import { describe, expect, it } from 'vitest';
import { isOwnShortLink } from './own-short-link.ts';

const checked = (url: string, base: string) => isOwnShortLink(new URL(url), base);

describe('detecting this service’s own short links', () => {
  it.each([
    'https://tools.example/abc',
    'http://tools.example/abc/',
    'https://tools.example/abc?a=1#b',
    'https://TOOLS.example.:443/abc',
    'https://user:secret@tools.example/abc',
    'https://tools.example/%61b%63',
    'https://tools.example/a%2Db%5Fc',
    'https://tools.example/x/../abc',
    'https://tools.example\\abc',
  ])('recognizes every spelling: %s', (url) => {
    expect(checked(url, 'https://tools.example')).toBe(true);
  });

  it.each([
    'http://localhost:8787/abc',
    'http://localhost.:8787/abc',
    'http://127.0.0.1:8787/abc',
    'http://127.1:8787/abc',
    'http://2130706433:8787/abc',
    'http://0.0.0.0:8787/abc',
    'http://[::1]:8787/abc',
    'http://[::]:8787/abc',
    'http://[::ffff:127.0.0.1]:8787/abc',
    'http://any.localhost:8787/abc',
  ])('recognizes every name of the local machine: %s', (url) => {
    expect(checked(url, 'http://localhost:8787')).toBe(true);
    expect(checked(url, 'http://127.0.0.1:8787')).toBe(true);
  });

  it.each([
    'https://other.example/abc',
    'https://tools.example.org/abc',
    'https://tools.example:8443/abc',
    'https://tools.example/files/a/b',
    'https://tools.example/ab',
    'https://tools.example/a%2Fb',
    'https://tools.example/abc%',
    'https://tools.example/',
    'https://tools.example/docs',
    'http://localhost:8787/Developers/',
    'http://127.0.0.1/abc',
  ])('rejects another host or port, and paths that are no code: %s', (url) => {
    expect(checked(url, 'https://tools.example')).toBe(false);
    expect(checked(url, 'http://localhost:8787')).toBe(false);
  });
});
