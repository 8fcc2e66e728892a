/**
 * Serializes a large JSON value in pieces, so that other requests can run in between. Each piece is encoded
 * immediately, so that it is not held in memory twice.
 */

const utf8 = new TextEncoder();
/** The number of characters per piece. Such a piece is small enough for the garbage collector's young generation. */
const PIECE_CHARACTERS = 32 * 1024;
/** The base cost of serializing a value, expressed as the length of a string that takes the same time. */
const VALUE_CHARACTERS = 16;
/** The number of array items that may be serialized in one piece. */
const PIECE_ITEMS = 256;
const CHARACTERS_BETWEEN_PAUSES = 1024 * 1024;

/**
 * Serializes a value in UTF-8 as `JSON.stringify` does. The value may consist of anything that JSON.parse returns, and
 * may have undefined fields.
 * @param pause is called after each megabyte
 */
export async function writeJson(value: unknown, pause: () => Promise<void>): Promise<Uint8Array[]> {
  const writer = new JsonWriter(pause);
  await writer.write(value);
  return writer.finish();
}

class JsonWriter {
  readonly #pause: () => Promise<void>;
  readonly #blocks: Uint8Array[] = [];
  #text = '';
  #sincePause = 0;

  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  async write(value: unknown): Promise<void> {
    if (isSmall(value)) await this.#add(JSON.stringify(value) ?? 'null');
    else if (typeof value === 'string') await this.#writeText(value);
    else if (Array.isArray(value)) await this.#writeItems(value);
    else await this.#writeFields(value as Record<string, unknown>);
  }

  finish(): Uint8Array[] {
    if (this.#text !== '') this.#encode();
    return this.#blocks;
  }

  async #writeText(text: string): Promise<void> {
    await this.#add('"');
    for (let start = 0; start < text.length; ) {
      // If the piece would split a surrogate pair, it is extended by one character, because JSON.stringify would escape
      // each half.
      const isSplit = (text.charCodeAt(start + PIECE_CHARACTERS) & 0xfc00) === 0xdc00;
      const end = start + PIECE_CHARACTERS + (isSplit ? 1 : 0);
      await this.#add(JSON.stringify(text.slice(start, end)).slice(1, -1));
      start = end;
    }
    await this.#add('"');
  }

  async #writeItems(items: readonly unknown[]): Promise<void> {
    await this.#add('[');
    for (let start = 0; start < items.length; start += PIECE_ITEMS) {
      const some = items.slice(start, start + PIECE_ITEMS);
      if (start > 0) await this.#add(',');
      if (isSmall(some)) {
        await this.#add(JSON.stringify(some).slice(1, -1));
        continue;
      }
      for (const [index, item] of some.entries()) {
        if (index > 0) await this.#add(',');
        await this.write(item);
      }
    }
    await this.#add(']');
  }

  async #writeFields(fields: Record<string, unknown>): Promise<void> {
    await this.#add('{');
    let separator = '';
    for (const name of Object.keys(fields)) {
      if (fields[name] === undefined) continue;
      await this.#add(`${separator}${JSON.stringify(name)}:`);
      await this.write(fields[name]);
      separator = ',';
    }
    await this.#add('}');
  }

  #add(text: string): Promise<void> | undefined {
    this.#text += text;
    if (this.#text.length < PIECE_CHARACTERS) return undefined;
    this.#sincePause += this.#text.length;
    this.#encode();
    if (this.#sincePause < CHARACTERS_BETWEEN_PAUSES) return undefined;
    this.#sincePause = 0;
    return this.#pause();
  }

  #encode(): void {
    this.#blocks.push(utf8.encode(this.#text));
    this.#text = '';
  }
}

/** Whether a value fits into one piece. The check stops as soon as the value does not fit. */
const isSmall = (value: unknown): boolean => budgetAfter(value, PIECE_CHARACTERS) >= 0;

/** Returns the part of `budget` that remains after the value. The result is negative if the value does not fit. */
function budgetAfter(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - VALUE_CHARACTERS - value.length;
  let remaining = budget - VALUE_CHARACTERS;
  if (typeof value !== 'object' || value === null) return remaining;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (remaining < 0) return remaining;
      remaining = budgetAfter(item, remaining);
    }
    return remaining;
  }
  for (const name in value) {
    if (remaining < 0) return remaining;
    remaining = budgetAfter((value as Record<string, unknown>)[name], remaining - name.length);
  }
  return remaining;
}
