import { describe, expect, it } from 'vitest';
import { measureImage } from './image-size.ts';

const measure = (text: string) => measureImage(new TextEncoder().encode(text));

describe('detecting the image type', () => {
  it('recognizes SVG after a declaration, a doctype or a long comment, and with a prefix', () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '\ufeff\n<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY x "y">]>\n<svg>',
      `<?xml version="1.0"?><!-- ${'license '.repeat(700)} --><!-- and --><svg>`,
      '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>',
    ]) {
      expect(measure(text)).toEqual({ format: 'svg' });
    }
  });

  it('finds no image in a page that contains SVG, or in empty content', () => {
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
