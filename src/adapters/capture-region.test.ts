import { describe, expect, it } from 'vitest';
import { beyondViewport } from './capture-region.ts';

describe('beyondViewport', () => {
  it('limits an image to 100 megapixels, 16,383 pixels per side and 12,000 CSS pixels high', () => {
    for (const scale of [1, 1.7, 2, 3]) {
      for (const side of [10, 4000, 12_000, 16_000, 1e9]) {
        for (const other of [10, 4000, 12_000, 16_000, 1e9]) {
          const { clip } = beyondViewport({ x: 0, y: 0, width: side, height: other }, scale).params;
          expect(clip.width * clip.height * scale * scale).toBeLessThanOrEqual(100_000_000);
          expect(Math.max(clip.width, clip.height) * scale).toBeLessThanOrEqual(16_383);
          expect(clip.height).toBeLessThanOrEqual(12_000);
        }
      }
    }
  });

  it('returns the box in whole pixels when it is within the limits', () => {
    const { params, cut } = beyondViewport({ x: 1.4, y: 2.6, width: 120.3, height: 0.2 }, 2);
    expect(params.clip).toEqual({ x: 1, y: 3, width: 120, height: 1, scale: 1 });
    expect(cut).toBeUndefined();
  });

  it('reports the drawn and the whole size when the box is cut', () => {
    const page = { x: 0, y: 0, width: 1280, height: 12_001 };
    expect(beyondViewport(page, 1).cut).toEqual({
      drawn: { width: 1280, height: 12_000 },
      whole: { width: 1280, height: 12_001 },
    });
    expect(beyondViewport(page, 3).cut).toMatchObject({ drawn: { height: 5461 } });
    expect(beyondViewport({ ...page, width: 17_000, height: 10 }, 1).cut).toMatchObject({
      drawn: { width: 16_383, height: 10 },
    });
  });
});
