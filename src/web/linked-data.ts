/** Reads facts about a page from its JSON-LD, for pages whose meta elements do not have them. */
import { parsePageJson } from './bounded-json.ts';

/** Exceeds the scripts of real pages, in number and in length. */
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

/** The facts that JSON-LD states about a page, article or similar, not about its topic. Texts are unchanged. */
export interface LinkedFacts {
  author?: string;
  publisher?: string;
  published?: string;
  modified?: string;
  created?: string;
  image?: string;
}

/** Types that describe something other than the page, but also have dates and names. */
const OTHER_TYPES = /^(Comment|Review|Person|Event|Offer|BreadcrumbList|Question|Answer)$/;

/** The first value of each fact in document order. */
export function factsIn(linkedData: readonly string[]): LinkedFacts {
  const facts: LinkedFacts = {};
  for (const text of linkedData) {
    for (const node of nodesOf(parsePageJson(text))) {
      facts.author ??= nameOf(node.author);
      if ([node['@type']].flat().some((type) => OTHER_TYPES.test(String(type)))) continue;
      facts.publisher ??= nameOf(node.publisher);
      facts.published ??= textOf(node.datePublished);
      facts.modified ??= textOf(node.dateModified);
      facts.created ??= textOf(node.uploadDate) ?? textOf(node.dateCreated);
      facts.image ??= addressOf(node.image) ?? addressOf(node.thumbnailUrl);
    }
  }
  return facts;
}

/** The top-level nodes: a single one, a list, or a graph. */
function nodesOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.filter(isObject);
  if (!isObject(value)) return [];
  return Array.isArray(value['@graph']) ? value['@graph'].filter(isObject) : [value];
}

function nameOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  const name = textOf(isObject(first) ? first.name : first);
  return name && /^https?:/i.test(name) ? undefined : name;
}

function addressOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return textOf(isObject(first) ? (first.url ?? first.contentUrl) : first);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.trim() || undefined : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
