/** The one SQL statement in a model's answer. */

const VERBS =
  'SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|MERGE|REPLACE|TRUNCATE|EXPLAIN|VALUES|GRANT|REVOKE|SHOW|DESCRIBE|PRAGMA|CALL|ANALYZE|VACUUM|RENAME|COMMENT|REFRESH|REINDEX|SET|USE|DO|COPY';
/** A line that begins a statement, perhaps within a parenthesis. */
const BEGINNING = new RegExp(`^[ \\t(]*(?:${VERBS})\\b(?![^\\n]*[.:!]$)`, 'im');
const FENCED = /(?:```|~~~)[\w+-]*[ \t]*\n([\s\S]*?)(?:\n[ \t]*(?:```|~~~)|$)/;
/** Strings as the standard has them, and as MySQL does, where a backslash takes the next character with it. */
const STANDARD = `'(?:[^']|'')*'|"(?:[^"]|"")*"`;
const ESCAPED = `'(?:[^'\\\\]|\\\\[\\s\\S]|'')*'|"(?:[^"\\\\]|\\\\[\\s\\S]|"")*"`;
/** Everything else that may hold a semicolon which ends nothing, and the words that open and close blocks. */
const OTHERS =
  /`[^`]*`|\[(?:[^[\]'"\n]|\]\])*\]|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\bBEGIN\b|\bCASE\b|\bEND\b(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b)?|;|\n[ \t]*\n/
    .source;
/** At last a quote that opens or closes nothing. */
const tokens = (strings: string) => new RegExp(`${strings}|${OTHERS}|['"]`, 'gi');
const READINGS = [tokens(STANDARD), tokens(ESCAPED)] as const;
/** Where the two differ. */
const ESCAPED_QUOTE = /\\['"]/;
/** No string of the standard ends within a word. */
const WITHIN_WORD = /\\['"]\w/;
/** Statements with a body of their own. */
const ROUTINE = /^\s*CREATE\b[^;(]*\b(?:TRIGGER|PROCEDURE|FUNCTION|EVENT)\b/i;
/**
 * Prose behind a statement that has no semicolon: a list, a heading, or a line that ends as sentences do. Clauses and
 * columns begin with such words too.
 */
const PROSE =
  /^\s*(?!where\b[^\n]*(?:[=<>]|\b(?:in|like|between|exists|null)\b))(?:[*#>-]\s|\*\*|(?:this|the|it|note|here|explanation|in this|where|if you|you can|replace|make sure)\b[^\n]*[.:!?][*_)]*[ \t]*(?:\n|$))/i;
/** What a statement does not end with. */
const UNFINISHED =
  /(?:[,(=<>+*/|-]|\b(?:SELECT|DISTINCT|FROM|WHERE|AND|OR|NOT|ON|BY|SET|VALUES|AS|JOIN|IN|THEN|ELSE))\s*$/i;
/** Comments in front, and a label. */
const COMMENTS = /^\s*(?:\/\*[\s\S]*?\*\/\s*)+/;
const LABEL = /^\s*[*_]*(?:sql|query|statement)[*_]*:[*_]*/i;
/** As Markdown marks code within a line. */
const MARKED = /^\s*`([^`]+)`\s*$/;

/** The statement, up to its semicolon where it has one, or null where there is none. */
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
  /** Whether every quote before it has its partner. */
  paired: boolean;
}

/** Of the two readings the one that fits: a cut within a string would leave half a statement. */
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

/** Whether the statement ends at a blank line, which is where what follows is prose. */
function isOver(text: string, end: number, next: number): boolean {
  const before = text.slice(Math.max(0, end - 100), end);
  return !UNFINISHED.test(before) && PROSE.test(text.slice(next, next + 1_000));
}
