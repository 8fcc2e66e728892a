/** Renders JSON with colors for names, strings, numbers and literals. */
import type { Child } from 'hono/jsx';
import { COLON, skipScalar, skipSpace } from './json-tokens.ts';

/** Longer text is shown without colors, because each token becomes an element. */
const MAX_CHARACTERS = 50_000;

/** The classes that the site's stylesheet colors. */
const [NAME, STRING, OTHER] = ['hljs-attr', 'hljs-string', 'hljs-literal'];

/** @param json valid JSON */
export function ColoredJson({ json }: { json: string }) {
  if (json.length > MAX_CHARACTERS) return <>{json}</>;
  const parts: Child[] = [];
  let end = 0;
  for (let at = 0; at < json.length; at++) {
    if ('{}[]:, \n'.includes(json[at]!)) continue;
    const stop = skipScalar(json, at);
    const isName = json.charCodeAt(skipSpace(json, stop)) === COLON;
    const look = isName ? NAME : json[at] === '"' ? STRING : OTHER;
    parts.push(json.slice(end, at), <span class={look}>{json.slice(at, stop)}</span>);
    end = stop;
    at = stop - 1;
  }
  return <>{[...parts, json.slice(end)]}</>;
}
