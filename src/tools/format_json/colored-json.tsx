/** Renders JSON with colors for names, strings, numbers and literals. */
import type { Child } from 'hono/jsx';

/** Longer text is shown without colors, because each token becomes an element. */
const MAX_CHARACTERS = 50_000;

/** Matches the tokens of valid JSON except punctuation. The second group matches the colon after a name. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;

/** The classes that the site's stylesheet colors. */
const CLASSES = { name: 'hljs-attr', string: 'hljs-string', other: 'hljs-literal' };

/** @param json valid JSON */
export function ColoredJson({ json }: { json: string }) {
  if (json.length > MAX_CHARACTERS) return <>{json}</>;
  const parts: Child[] = [];
  let end = 0;
  for (const { 0: token, 1: text, 2: colon = '', index } of json.matchAll(TOKEN)) {
    const kind = text === undefined ? 'other' : colon ? 'name' : 'string';
    parts.push(json.slice(end, index), <span class={CLASSES[kind]}>{text ?? token}</span>, colon);
    end = index + token.length;
  }
  return <>{[...parts, json.slice(end)]}</>;
}
