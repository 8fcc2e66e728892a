import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryFile } from '../core/input-file.ts';
import type { MediaPort } from '../core/ports.ts';
import { shownImage } from './shown-image.ts';

afterEach(() => vi.restoreAllMocks());

/** The beginning of a TIFF image, which models do not read, so it must be converted. */
const TIFF = memoryFile('a.tiff', Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0, 0, 0));

describe('an image that cannot be reduced', () => {
  it('is not shown, and its error is logged unless the caller has disconnected', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const media = { run: () => Promise.reject(new Error('a bug')) } as unknown as MediaPort;
    expect(await shownImage(TIFF, media, AbortSignal.abort(), 'r1')).toBeNull();
    expect(logged).not.toHaveBeenCalled();
    expect(await shownImage(TIFF, media, new AbortController().signal, 'r1')).toBeNull();
    expect(logged.mock.calls.join()).toContain('a bug');
  });
});
