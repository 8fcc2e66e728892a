import { describe, expect, it } from 'vitest';
import { isOwnShortLink } from './own-short-link.ts';

const judged = (url: string, base: string) => isOwnShortLink(new URL(url), base);

describe('an address that is a short link of this service', () => {
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
  ])('is found however it is written: %s', (url) => {
    expect(judged(url, 'https://tools.example')).toBe(true);
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
  ])('is found at home under every name of the machine itself: %s', (url) => {
    expect(judged(url, 'http://localhost:8787')).toBe(true);
    expect(judged(url, 'http://127.0.0.1:8787')).toBe(true);
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
  ])('is none where the host or the port is another, or the path is none of a code: %s', (url) => {
    expect(judged(url, 'https://tools.example')).toBe(false);
    expect(judged(url, 'http://localhost:8787')).toBe(false);
  });
});
