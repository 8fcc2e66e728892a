/** Parses the parameters of a header's value (RFC 9110, section 5.6.6) in linear time. */

/**
 * Returns the parameters after the first semicolon, by lower-case name. If a name occurs twice, the first value is
 * returned. A quoted value keeps its backslashes, because browsers send them unescaped (`filename="C:\dir\"`). A
 * malformed parameter is skipped.
 */
export function headerParameters(value: string): Map<string, string> {
  const parameters = new Map<string, string>();
  let position = nextSemicolon(value, 0);
  while (position < value.length) {
    const nameStart = position + 1;
    position = nameStart;
    while (position < value.length && value[position] !== '=' && value[position] !== ';') {
      position += 1;
    }
    if (value[position] !== '=') continue;
    const name = value.slice(nameStart, position).trim().toLowerCase();
    const start = skipSpace(value, position + 1);
    const quoted = value[start] === '"';
    const close = quoted ? closingQuote(value, start + 1) : null;
    position = nextSemicolon(value, close ?? start);
    if (parameters.has(name) || (quoted && close === null)) continue;
    parameters.set(
      name,
      close === null ? value.slice(start, position).trim() : value.slice(start + 1, close),
    );
  }
  return parameters;
}

/** Returns a quoted value without the backslashes that escape its characters. */
export function unescapeQuoted(text: string): string {
  let plain = '';
  for (let position = 0; position < text.length; position += 1) {
    if (text[position] === '\\' && position + 1 < text.length) position += 1;
    plain += text[position];
  }
  return plain;
}

/** Returns the index of the closing quote, or null. Only a semicolon or the end may follow a closing quote. */
function closingQuote(value: string, from: number): number | null {
  let unescaped = from;
  while (unescaped < value.length && value[unescaped] !== '"') {
    unescaped += value[unescaped] === '\\' ? 2 : 1;
  }
  if (endsParameter(value, unescaped)) return unescaped;
  // A value may end with a literal backslash, such as `C:\dir\`.
  const first = value.indexOf('"', from);
  return first >= 0 && endsParameter(value, first) ? first : null;
}

function endsParameter(value: string, quote: number): boolean {
  if (quote >= value.length) return false;
  const next = skipSpace(value, quote + 1);
  return next === value.length || value[next] === ';';
}

function nextSemicolon(value: string, from: number): number {
  const position = value.indexOf(';', from);
  return position < 0 ? value.length : position;
}

function skipSpace(value: string, from: number): number {
  let position = from;
  while (position < value.length && isSpace(value.charCodeAt(position))) position += 1;
  return position;
}

/** Whether the character code is a space, a tab, or a line break within the header. */
const isSpace = (code: number) => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
