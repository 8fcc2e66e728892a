import { describe, expect, it } from 'vitest';
import { kindOfText } from './text-bytes.ts';

function streamOf(...chunks: number[][]): ReadableStream<Uint8Array> {
  const rest = chunks.map((chunk) => Uint8Array.from(chunk));
  return new ReadableStream({
    pull(controller) {
      const chunk = rest.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
}

describe('kindOfText', () => {
  it.each([
    ['text', [[0x61], [0xc3], [0xa4]]],
    ['markup', [[0x20], [0x3c, 0x70]]],
    ['binary', [[0x61], [0xff]]],
    ['binary', [[0x61, 0xc3]]],
    ['binary', [[0x61, 0]]],
  ])('returns %s', async (kind, chunks) => {
    expect(await kindOfText(streamOf(...chunks), 'utf-8')).toBe(kind);
  });

  it('throws if the bytes cannot be read', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('storage does not answer')),
    });
    await expect(kindOfText(broken, 'utf-8')).rejects.toThrow('storage does not answer');
  });
});
