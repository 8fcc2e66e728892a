/** The one SQL statement in a model's answer. */

const VERBS =
  'SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|MERGE|REPLACE|TRUNCATE|EXPLAIN|VALUES|GRANT|REVOKE|SHOW|DESCRIBE|PRAGMA|CALL|ANALYZE|VACUUM|RENAME|COMMENT|REFRESH|REINDEX|SET|USE|DO|COPY';
/** A line that begins a statement, perhaps within a parenthesis. */
const BEGINNING = new RegExp(`^[ \\t]*\\(*[ \\t]*(?:${VERBS})\\b(?![^\\n]*[.:!]$)`, 'im');
const FENCED = /(?:`{3,}|~{3,})[\w+-]*[ \t]*\n([\s\S]*?)(?:\n[ \t]*(?:`{3,}|~{3,})|$)/;
/** Everything that may hold a semicolon which ends nothing, and the words that open and close blocks. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|\bBEGIN\b|\bCASE\b|\bEND\b(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b)?|;|\n[ \t]*\n/gi;
/** Statements with a body of their own. */
const ROUTINE = /^\s*CREATE\b[^;(]*\b(?:TRIGGER|PROCEDURE|FUNCTION|EVENT)\b/i;
/** Prose behind a statement that has no semicolon. */
const PROSE =
  /^\s*(?:[*#>-]\s|\*\*|(?:this|the|it|note|here|explanation|in this|where|if you|you can|replace|make sure)\b[^\n]*[a-z]\s)/i;

/** The statement, up to its semicolon where it has one, or null where there is none. */
export function sqlStatement(answer: string): string | null {
  const text = (FENCED.exec(answer)?.[1] ?? answer).replaceAll('\r\n', '\n');
  const start = text.search(BEGINNING);
  if (start < 0) return null;
  const rest = text.slice(start);
  return rest.slice(0, endOf(rest)).trim() || null;
}

function endOf(text: string): number {
  const routine = ROUTINE.test(text);
  let depth = 0;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0].toUpperCase();
    if (token === ';' && depth === 0) return match.index + 1;
    if (token.trim() === '' && PROSE.test(text.slice(match.index + token.length)))
      return match.index;
    if (token === 'CASE' || (token === 'BEGIN' && routine)) depth += 1;
    else if (token === 'END') depth = Math.max(0, depth - 1);
  }
  return text.length;
}
