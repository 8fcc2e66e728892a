import { describe, expect, it } from 'vitest';
import { toolNamed } from '../tools/find-tool.ts';
import { feed } from './feed.ts';
import { valueAt } from './references.ts';

describe('filling parameters', () => {
  it('skips null fields, such as the height of a full-page screenshot', () => {
    const result = { url: 'https://storage.test/files/x/a.webp', width: 1280, height: null };
    const fed = feed(toolNamed('compress_image'), {}, { result, isFile: false }, () => true);
    expect(fed).toEqual({ fileUrl: result.url, width: 1280 });
  });
});

describe('a reference', () => {
  it('rejects a field that exists and is undefined', () => {
    const reference = { text: '{{prev.a}}', step: null, path: ['a'] };
    expect(() => valueAt({ a: undefined }, reference)).toThrow(/is invalid: there is no/);
  });

  it('to a field of an empty object states that the object has no fields', () => {
    const reference = { text: '{{prev.a.b}}', step: null, path: ['a', 'b'] };
    expect(() => valueAt({ a: {} }, reference)).toThrow(
      'The reference {{prev.a.b}} is invalid: there is no "b". This value has no fields.',
    );
  });
});
