import { describe, expect, it } from 'vitest';
import { otherKind, readableKind } from './image-kind.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('readableKind', () => {
  it.each([
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['\x89PNG\r\n\x1a\n', 'png'],
    ['GIF89a', 'gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
    ['II*\0', 'tiff'],
    ['MM\0*', 'tiff'],
    ['\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'avif'],
    ['\0\0\0\x18ftypmif1\0\0\0\0mif1avif', 'avif'],
    ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'heic'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'svg'],
    [
      '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <a> -->\n<!DOCTYPE svg PUBLIC "-//W3C" "x.dtd">\n<svg>',
      'svg',
    ],
    ['<!DOCTYPE svg [<!ENTITY a "b>">]><svg:svg xmlns:svg="http://www.w3.org/2000/svg">', 'svg'],
  ])('recognizes %j as %s', (head, kind) => {
    expect(readableKind(bytes(head))).toBe(kind);
  });

  it.each([
    '',
    'II',
    'RIFF\x10\0\0\0WAVE',
    '\0\0\0\x18ftypmp42\0\0\0\0mp42isom',
    '<html><svg></html>',
    '<!-- <svg>',
    '<!DOCTYPE html><svg>'.slice(0, 14),
    '<svgfont>',
    '%PDF-1.7',
  ])('does not recognize %j', (head) => {
    expect(readableKind(bytes(head))).toBeNull();
  });
});

describe('otherKind', () => {
  it('names formats that are often mistaken for images', () => {
    expect(otherKind(bytes('%PDF-1.7'))).toBe('a PDF');
    expect(otherKind(bytes('\0\0\0\x18ftypmp42'))).toBe('a video or audio file');
    expect(otherKind(bytes('BM\x10'))).toBe('a BMP image');
    expect(otherKind(bytes('words'))).toBeUndefined();
  });
});
