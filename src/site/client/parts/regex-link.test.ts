/** Tests the links to the page of test_regex. */
import { expect, it } from 'vitest';
import { linkTo } from './regex-link.ts';

const PAGE = 'https://tools.example/page';

it('contains the fields in the fragment', () => {
  const fields = { pattern: 'a+&#b', flags: 'g', text: 'ä b\n' };
  const { link, hasText } = linkTo(PAGE, fields);
  expect(hasText).toBe(true);
  expect(link).toBe(`${PAGE}#pattern=a%2B%26%23b&flags=g&text=%C3%A4+b%0A`);
  expect(Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)))).toEqual(fields);
});

it.each([
  [8000, true],
  [8001, false],
])('a link of %i characters contains the text: %s', (length, hasText) => {
  const fields = { pattern: 'a', flags: '', text: '' };
  const text = 'a'.repeat(length - linkTo(PAGE, fields).link.length);
  const result = linkTo(PAGE, { ...fields, text });
  expect(result.hasText).toBe(hasText);
  expect(result.link.includes('text=')).toBe(hasText);
});
