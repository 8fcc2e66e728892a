/**
 * Reads a media worker's response that reports progress. The response consists of JSON lines, and the body follows the
 * last line (containers/media/answer.ts).
 */
import type { MediaResult } from '../core/ports.ts';
import { joinBytes } from '../lib/join-bytes.ts';

/** The maximum length of a line, in bytes. Only an error with many details comes close to it. */
const LONGEST_LINE_BYTES = 1024 * 1024;
const LINE_FEED = 10;

type End = { result: MediaResult } | { error: Record<string, unknown> };

interface Line {
  progress?: number;
  message?: string;
  error?: Record<string, unknown>;
  result?: { contentType: string; meta: Record<string, unknown> };
}

/** Reads the lines up to the last one and reports the progress. Throws if the response is cut off. */
export async function readProgress(
  stream: ReadableStream<Uint8Array>,
  progress: (fraction: number, message?: string) => void,
): Promise<End> {
  const reader = stream.getReader();
  let rest: Uint8Array = new Uint8Array();
  for (;;) {
    const end = rest.indexOf(LINE_FEED);
    if (end < 0) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the media worker's response was cut off");
      rest = joinBytes([rest, value], rest.byteLength + value.byteLength);
      if (rest.byteLength > LONGEST_LINE_BYTES && !rest.includes(LINE_FEED)) {
        throw new Error('the media worker sent a progress line without an end');
      }
      continue;
    }
    const line = JSON.parse(new TextDecoder().decode(rest.subarray(0, end))) as Line;
    rest = rest.subarray(end + 1);
    if (line.progress !== undefined) progress(line.progress, line.message);
    if (line.error) return { error: line.error };
    if (line.result) {
      const { contentType, meta } = line.result;
      const size = meta.size as number | undefined;
      return { result: { body: after(rest, reader), contentType, size, meta } };
    }
  }
}

/** Returns a stream of the bytes that were already read, followed by the rest. */
function after(
  first: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  // A TransformStream cannot be used, because the store pipes the result through a second one, and workerd does not
  // support this.
  return new ReadableStream({
    start(controller) {
      if (first.byteLength > 0) controller.enqueue(first);
    },
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
