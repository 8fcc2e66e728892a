import { describe, expect, it } from 'vitest';
import { measureImage } from './image-size.ts';

const measure = (text: string) => measureImage(new TextEncoder().encode(text));

describe('what kind of image bytes are', () => {
  it('is a drawing behind a declaration, a document type, a licence of some length, and with a prefix', () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '\ufeff\n<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY x "y">]>\n<svg>',
      `<?xml version="1.0"?><!-- ${'licence '.repeat(700)} --><!-- and --><svg>`,
      '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>',
    ]) {
      expect(measure(text)).toEqual({ format: 'svg' });
    }
  });

  it('is none where a page only has a drawing in it, or nothing at all', () => {
    for (const text of [
      '',
      '<html><svg>',
      '<!-- <svg> -->',
      'text <svg>',
      '<svgx>',
      '<!doctype svg',
      '<!doctype svg [',
      '<!doctype svg [<svg>',
      '<?xml <svg>',
    ]) {
      expect(measure(text)).toBeNull();
    }
  });
});
