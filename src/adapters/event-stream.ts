/** Reads the server-sent events of a model's answer: the `data` of each, until `[DONE]`. */

const MAX_EVENT_CHARACTERS = 1_000_000;

/**
 * Yields each event's data (HTML standard, section 9.2.6; names and ids are ignored). Returns true if the stream ended
 * with `[DONE]`, false if it just ended.
 */
export async function* eventData(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, boolean> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > MAX_EVENT_CHARACTERS) throw new Error('an event is too long');
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const data = dataOf(line);
      if (data === '[DONE]') return true;
      if (data !== '') yield data;
    }
  }
  const last = dataOf(rest);
  if (last !== '' && last !== '[DONE]') yield last;
  return last === '[DONE]';
}

/** Model servers write each event's JSON on one line. */
const dataOf = (line: string): string => (line.startsWith('data:') ? line.slice(5).trim() : '');
