import { describe, expect, it } from 'vitest';
import { eventData } from './event-stream.ts';

const bytes = new TextEncoder();

/** Returns a stream that delivers these chunks separately. */
const streamOf = (...chunks: (string | Uint8Array)[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === 'string' ? bytes.encode(chunk) : chunk);
      }
      controller.close();
    },
  });

async function read(...chunks: (string | Uint8Array)[]) {
  const events = eventData(streamOf(...chunks));
  const data: string[] = [];
  for (;;) {
    const next = await events.next();
    if (next.done) return { data, done: next.value };
    data.push(next.value);
  }
}

describe('the event stream parser', () => {
  it('stops at [DONE]', async () => {
    expect(await read('data: a\n\ndata: [DONE]\n\n', 'data: b\n\n')).toEqual({
      data: ['a'],
      done: true,
    });
    expect(await read('data: a\n\n')).toEqual({ data: ['a'], done: false });
  });

  it('accepts multi-line data, event names, IDs and comments', async () => {
    const { data } = await read(': hello\n\nevent: x\nid: 1\ndata: {"a":\ndata: 1}\n\n');
    expect(data).toEqual(['{"a":\n1}']);
  });

  it.each(['\n', '\r\n', '\r'])('accepts lines that end with %j', async (end) => {
    const text = ['data: a', '', 'data: [DONE]', '', ''].join(end);
    expect(await read(text)).toEqual({ data: ['a'], done: true });
  });

  it('accepts chunks cut at any byte, even within a character', async () => {
    const whole = bytes.encode('data: é😀\r\n\r\n');
    const { data } = await read(...[...whole].map((byte) => Uint8Array.of(byte)));
    expect(data).toEqual(['é😀']);
  });

  it('accepts a last event without a trailing blank line', async () => {
    expect(await read('data: a\n\ndata: [DONE]')).toEqual({ data: ['a'], done: true });
    expect(await read('data: a\n')).toEqual({ data: ['a'], done: false });
  });

  it('rejects an event that is too long, in one line or in several', async () => {
    const long = 'x'.repeat(600_000);
    await expect(read(`data: ${long}`, long)).rejects.toThrow();
    await expect(read(`data: ${long}\n`, `data: ${long}\n`)).rejects.toThrow();
  });
});
