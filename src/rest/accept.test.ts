import { describe, expect, it } from 'vitest';
import { acceptsOnlyJson } from './accept.ts';

describe('a file result', () => {
  it.each([
    ['application/json', true],
    ['application/json, text/plain', true],
    ['application/json;q=0.5', true],
    ['application/json, image/webp;q=0', true],
    ['application/json, */*', false],
    ['application/json, image/*;q=0.1', false],
    ['application/json, IMAGE/WebP', false],
    ['application/json;q=0', false],
    ['text/html', false],
    ['*/*', false],
    [undefined, false],
  ])('for Accept: %s is a link: %s', (accept, isLink) => {
    expect(acceptsOnlyJson(accept, 'image/webp')).toBe(isLink);
  });

  it('in JSON format is never a link', () => {
    expect(acceptsOnlyJson('application/json', 'application/json; charset=utf-8')).toBe(false);
  });
});
