/** Reads the author from a page's JSON-LD, for pages whose meta elements name none. */
import { parsePageJson } from './bounded-json.ts';

/** No real page has more or larger ones. */
const MOST_SCRIPTS = 20;
const MOST_CHARACTERS = 200_000;
/** The limit of characters in a tag before its type. */
const MOST_ATTRIBUTES = 1000;
const TYPE = 'application/ld+json';

/** The JSON-LD texts of a document, found without parsing it. */
export function linkedDataOf(html: string): string[] {
  const found: string[] = [];
  let at = html.indexOf(TYPE);
  for (let tried = 0; at >= 0 && tried < MOST_SCRIPTS; tried += 1) {
    const start = html.indexOf('>', at) + 1;
    const end = html.indexOf('</script', start);
    if (start === 0 || end < 0) break;
    const tag = html.slice(Math.max(0, at - MOST_ATTRIBUTES), at);
    const isScript = tag.lastIndexOf('<script') > tag.lastIndexOf('>');
    if (isScript && end - start <= MOST_CHARACTERS) found.push(html.slice(start, end));
    at = html.indexOf(TYPE, end);
  }
  return found;
}

/** The name of the first author of a page, article or similar, not of its topic. */
export function authorIn(linkedData: readonly string[]): string | undefined {
  for (const text of linkedData) {
    for (const node of nodesOf(parsePageJson(text))) {
      const name = nameOf(node.author);
      if (name) return name;
    }
  }
  return undefined;
}

/** The top-level nodes: a single one, a list, or a graph. */
function nodesOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.filter(isObject);
  if (!isObject(value)) return [];
  return Array.isArray(value['@graph']) ? value['@graph'].filter(isObject) : [value];
}

function nameOf(author: unknown): string | undefined {
  const first = Array.isArray(author) ? author[0] : author;
  const name = isObject(first) ? first.name : first;
  if (typeof name !== 'string' || /^https?:/i.test(name)) return undefined;
  return name.trim() || undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
