/**
 * Checks a JSON text against limits on depth, values and fields before it is parsed, because a value can take a hundred
 * times as much memory as its text.
 */

/** The maximum number of values of any kind, across all nesting levels. */
export const MAX_JSON_VALUES = 200_000;
export const MAX_JSON_DEPTH = 1000;
/** The maximum number of fields per object. Beyond this limit, V8 enumerates the fields ten times as slowly. */
export const MAX_JSON_FIELDS = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;

/** Returns the first bound that the text exceeds, or undefined. The text need not be valid JSON. */
export function jsonExcess(
  text: string,
  mostDepth = MAX_JSON_DEPTH,
  mostValues = MAX_JSON_VALUES,
  mostFields = Number.POSITIVE_INFINITY,
): 'depth' | 'values' | 'fields' | undefined {
  let depth = 0;
  let values = 1;
  let opened = false;
  /**
   * The number of fields so far in each open object. The counts for arrays start at minus infinity, so arrays never
   * exceed the limit.
   */
  const fields: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= SPACE) continue;
    const isOpen = code === 0x5b || code === 0x7b;
    const isClose = code === 0x5d || code === 0x7d;
    if (code === COMMA || (opened && !isClose)) values++;
    if (values > mostValues) return 'values';
    if (code === COMMA && depth > 0 && ++fields[depth - 1]! > mostFields) return 'fields';
    opened = isOpen;
    if (isOpen) {
      fields[depth] = code === OPEN_OBJECT ? 1 : Number.NEGATIVE_INFINITY;
      if (++depth > mostDepth) return 'depth';
    }
    if (isClose) depth--;
    if (code === QUOTE) i = endOfString(text, i);
  }
  return undefined;
}

/** Returns the index of the quotation mark that ends the string at `start`, or the length of the text. */
function endOfString(text: string, start: number): number {
  // indexOf is much faster than a loop. A quotation mark after a backslash might not end the string.
  const mark = text.indexOf('"', start + 1);
  if (mark < 0) return text.length;
  if (text.charCodeAt(mark - 1) !== BACKSLASH) return mark;
  let i = start + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) break;
  }
  return i;
}

/** Parses JSON within the bounds. Throws SyntaxError if the text is invalid or exceeds a bound. */
export function parseBounded(
  text: string,
  mostDepth = MAX_JSON_DEPTH,
  mostValues = MAX_JSON_VALUES,
): unknown {
  const excess = jsonExcess(text, mostDepth, mostValues);
  if (excess) throw new SyntaxError(`the JSON exceeds the limit on ${excess}`);
  return JSON.parse(text);
}
