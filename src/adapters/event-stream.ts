/** Reads the `data` fields of a model's server-sent events until `[DONE]`. */
import { createParser } from 'eventsource-parser';

const MAX_EVENT_CHARACTERS = 1_000_000;

/**
 * Yields the data of each event (HTML standard, 9.2.6). Returns whether the stream ended with `[DONE]`. Throws if an
 * event is too long.
 */
export async function* eventData(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, boolean> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => pending.push(data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
    maxBufferSize: MAX_EVENT_CHARACTERS,
  });
  const parse = (text: string): string[] => {
    pending = [];
    parser.feed(text);
    return pending;
  };
  for await (const chunk of body) {
    for (const data of parse(decoder.decode(chunk, { stream: true }))) {
      if (data === '[DONE]') return true;
      yield data;
    }
  }
  // Some servers omit the blank line after their last event.
  for (const data of parse('\n\n')) {
    if (data === '[DONE]') return true;
    yield data;
  }
  return false;
}
