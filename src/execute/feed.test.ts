import { describe, expect, it } from 'vitest';
import { toolNamed } from '../tools/find-tool.ts';
import { feed } from './feed.ts';
import { valueAt } from './references.ts';

describe('feeding', () => {
  it('passes over fields that are null: a screenshot of a whole page has no height', () => {
    const result = { url: 'https://storage.test/files/x/a.webp', width: 1280, height: null };
    const fed = feed(toolNamed('compress_image'), {}, { result, isFile: false }, () => true);
    expect(fed).toEqual({ fileUrl: result.url, width: 1280 });
  });
});

describe('a reference', () => {
  it('to a field that is there and undefined leads to nothing', () => {
    const reference = { text: '{{prev.a}}', step: null, path: ['a'] };
    expect(() => valueAt({ a: undefined }, reference)).toThrow(/is invalid: there is no/);
  });
});
