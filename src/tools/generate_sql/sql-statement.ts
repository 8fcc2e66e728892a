/** Extracts the SQL statement from a model's response. */

const VERBS =
  'SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|MERGE|REPLACE|TRUNCATE|EXPLAIN|VALUES|GRANT|REVOKE|SHOW|DESCRIBE|PRAGMA|CALL|ANALYZE|VACUUM|RENAME|COMMENT|REFRESH|REINDEX|SET|USE|DO|COPY';
/** Matches a line that begins a statement, possibly after a parenthesis. */
const BEGINNING = new RegExp(`^[ \\t(]*(?:${VERBS})\\b(?![^\\n]*[.:!]$)`, 'im');
const FENCED = /(?:```|~~~)[\w+-]*[ \t]*\n([\s\S]*?)(?:\n[ \t]*(?:```|~~~)|$)/;
/** Match strings in standard SQL and in MySQL. In MySQL, a backslash escapes the next character. */
const STANDARD = `'(?:[^']|'')*'|"(?:[^"]|"")*"`;
const ESCAPED = `'(?:[^'\\\\]|\\\\[\\s\\S]|'')*'|"(?:[^"\\\\]|\\\\[\\s\\S]|"")*"`;
/**
 * Matches quoted names, dollar-quoted strings and comments, in which a semicolon does not end the statement. Also
 * matches the keywords that open and close blocks, semicolons and blank lines.
 */
const OTHERS =
  /`[^`]*`|\[(?:[^[\]'"\n]|\]\])*\]|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\bBEGIN\b|\bCASE\b|\bEND\b(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b)?|;|\n[ \t]*\n/
    .source;
/** The last alternative matches an unpaired quote. */
const tokens = (strings: string) => new RegExp(`${strings}|${OTHERS}|['"]`, 'gi');
const READINGS = [tokens(STANDARD), tokens(ESCAPED)] as const;
/** Matches text that standard SQL and MySQL read differently. */
const ESCAPED_QUOTE = /\\['"]/;
/** Matches a backslash and a quote inside a word. In standard SQL, a string never ends inside a word. */
const WITHIN_WORD = /\\['"]\w/;
/** Matches the beginning of a statement that contains a body. */
const ROUTINE = /^\s*CREATE\b[^;(]*\b(?:TRIGGER|PROCEDURE|FUNCTION|EVENT)\b/i;
/**
 * Matches prose after a statement without a semicolon: a list, a heading, or a line that ends like a sentence. The
 * words alone do not identify prose, because clauses and columns may begin with the same words.
 */
const PROSE =
  /^\s*(?!where\b[^\n]*(?:[=<>]|\b(?:in|like|between|exists|null)\b))(?:[*#>-]\s|\*\*|(?:this|the|it|note|here|explanation|in this|where|if you|you can|replace|make sure)\b[^\n]*[.:!?][*_)]*[ \t]*(?:\n|$))/i;
/** Matches words and characters that cannot end a statement. */
const UNFINISHED =
  /(?:[,(=<>+*/|-]|\b(?:SELECT|DISTINCT|FROM|WHERE|AND|OR|NOT|ON|BY|SET|VALUES|AS|JOIN|IN|THEN|ELSE))\s*$/i;
/** Match leading block comments, and a label such as `SQL:`. */
const COMMENTS = /^\s*(?:\/\*[\s\S]*?\*\/\s*)+/;
const LABEL = /^\s*[*_]*(?:sql|query|statement)[*_]*:[*_]*/i;
/** Matches inline code in Markdown. */
const MARKED = /^\s*`([^`]+)`\s*$/;

/** Returns the statement up to its semicolon, or all of it if it has none. Returns null if there is no statement. */
export function sqlStatement(answer: string): string | null {
  const text = (FENCED.exec(answer)?.[1] ?? answer)
    .replaceAll('\r\n', '\n')
    .replace(LABEL, '')
    .replace(MARKED, '$1')
    .replace(COMMENTS, '');
  const start = text.search(BEGINNING);
  if (start < 0) return null;
  const rest = text.slice(start);
  return rest.slice(0, endOf(rest)).trim() || null;
}

interface End {
  at: number;
  /** Whether all quotes before this position are paired. */
  paired: boolean;
}

/**
 * Returns the offset at which the statement ends in the SQL dialect that fits the text. In the wrong dialect, the
 * statement might be cut inside a string.
 */
function endOf(text: string): number {
  const standard = endBy(text, READINGS[0]);
  if (!ESCAPED_QUOTE.test(text)) return standard.at;
  const escaped = endBy(text, READINGS[1]);
  if (!escaped.paired) return standard.paired ? standard.at : text.length;
  const rest = text.slice(standard.at);
  const isEnd = rest.trim() === '' || /^[ \t]*\n[ \t]*\n/.test(rest);
  return isEnd && standard.paired && !WITHIN_WORD.test(text) ? standard.at : escaped.at;
}

function endBy(text: string, reading: RegExp): End {
  const routine = ROUTINE.test(text);
  let depth = 0;
  let paired = true;
  for (const match of text.matchAll(reading)) {
    const token = match[0].toUpperCase();
    if (token === ';' && depth === 0) return { at: match.index + 1, paired };
    if (token.trim() === '' && isOver(text, match.index, match.index + token.length))
      return { at: match.index, paired };
    if (token === "'" || token === '"') paired = false;
    if (token === 'CASE' || (token === 'BEGIN' && routine)) depth += 1;
    else if (token === 'END') depth = Math.max(0, depth - 1);
  }
  return { at: text.length, paired };
}

/** Whether the statement ends at a blank line because prose follows. */
function isOver(text: string, end: number, next: number): boolean {
  const before = text.slice(Math.max(0, end - 100), end);
  return !UNFINISHED.test(before) && PROSE.test(text.slice(next, next + 1_000));
}
