import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { measureImage } from '../src/web/image-size.ts';
import { drawImage, icoOf } from './support/images.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-images-'));
afterAll(() => rmSync(folder, { recursive: true }));
const text = (content: string) => new TextEncoder().encode(content);

describe('the size of an image', () => {
  it.each([
    ['png', 'png'],
    ['gif', 'gif'],
    ['jpg', 'jpeg'],
    ['webp', 'webp'],
    ['bmp', 'bmp'],
    ['avif', 'avif'],
  ])('is read from the header of a real %s', (extension, format) => {
    const bytes = drawImage(folder, `a.${extension}`, 300, 118);
    expect(measureImage(bytes)).toEqual({ format, width: 300, height: 118 });
  });

  it('is that of the largest entry of an icon file', () => {
    expect(measureImage(icoOf([16, 16], [256, 256], [48, 48]))).toEqual({
      format: 'ico',
      width: 256,
      height: 256,
    });
    expect(measureImage(icoOf())).toBeNull();
  });

  it('is absent for an SVG', () => {
    for (const svg of [
      '<svg/>',
      '<svg width="5" height="5">',
      ' \n<?xml version="1.0"?><!-- a --><!DOCTYPE svg PUBLIC "a" "b"><svg xmlns="x">',
      '<!DOCTYPE svg [ <!ENTITY a "b"> ]><svg>',
    ]) {
      expect(measureImage(text(svg))).toEqual({ format: 'svg' });
    }
  });

  it('is absent for other bytes, including truncated and hostile ones', () => {
    for (const other of [
      '',
      'x',
      '<html><svg></svg>',
      'GIF',
      'BM',
      'RIFF0000WEBP',
      '%PDF-1.7',
      '<svgx>',
    ]) {
      expect([other, measureImage(text(other))]).toEqual([other, null]);
    }
    const jpeg = drawImage(folder, 'cut.jpg', 64, 64);
    for (let length = 0; length < jpeg.length; length += 7) measureImage(jpeg.subarray(0, length));
    expect(measureImage(Uint8Array.of(0xff, 0xd8, ...new Uint8Array(1000).fill(0xff)))).toBeNull();
    expect(measureImage(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0))).toBeNull();
    expect(measureImage(text(`<!--${'-'.repeat(100_000)}`))).toBeNull();
  });
});
