/** Reads facts about a page from its JSON-LD, because the meta elements do not always contain them. */
import { decodeHTML } from 'entities';
import { parsePageJson } from './bounded-json.ts';
import { nameOnly } from './page-author.ts';

/**
 * The maximum number of scripts, and the maximum length of a script in characters. Real pages have fewer and shorter
 * scripts.
 */
const MAX_SCRIPTS = 20;
const MAX_CHARACTERS = 200_000;
/** The maximum number of characters between the beginning of a tag and its type. */
const MAX_ATTRIBUTES = 1000;
const TYPE = 'application/ld+json';
/** The maximum length of a name in characters. */
const MAX_NAME = 500;

/** Finds the JSON-LD scripts in a document without parsing the document. */
export function linkedDataOf(html: string): string[] {
  const found: string[] = [];
  let at = html.indexOf(TYPE);
  for (let tried = 0; at >= 0 && tried < MAX_SCRIPTS; tried += 1) {
    const start = html.indexOf('>', at) + 1;
    const end = html.indexOf('</script', start);
    if (start === 0 || end < 0) break;
    const tag = html.slice(Math.max(0, at - MAX_ATTRIBUTES), at);
    const isScript = tag.lastIndexOf('<script') > tag.lastIndexOf('>');
    if (isScript && end - start <= MAX_CHARACTERS) found.push(html.slice(start, end));
    at = html.indexOf(TYPE, end);
  }
  return found;
}

/**
 * The facts that JSON-LD states about the page itself, for example about an article. Facts about the page's topic are
 * ignored. Names are without markup. Dates and URLs are not validated.
 */
export interface LinkedFacts {
  author?: string;
  publisher?: string;
  /** The name of the website. */
  site?: string;
  published?: string;
  modified?: string;
  created?: string;
  image?: string;
}

/** Matches types that describe something other than the page. Their nodes may also have dates and names. */
const OTHER_TYPES =
  /^(Comment|Review|Person|Event|Offer|BreadcrumbList|Question|Answer|Organization|NewsMediaOrganization|WebSite)$/;
/** Matches types whose facts take precedence over those of other nodes. */
const ARTICLE_TYPES = /(Article|Posting|Report)$/;

type Node = Record<string, unknown>;

const REVIEW = /^Review$/;

const isOf = (node: Node, types: RegExp) =>
  [node['@type']].flat().some((type) => types.test(String(type)));

/** Returns the first value of each fact. Article nodes are read first, then the other nodes in document order. */
export function factsIn(linkedData: readonly string[]): LinkedFacts {
  const facts: LinkedFacts = {};
  const nodes = linkedData.flatMap((text) => nodesOf(parseScript(text)));
  const named = new Map(nodes.map((node) => [node['@id'], node]));
  /** Resolves a reference to its node. If the value is a list, uses its first element. */
  const whole = (value: unknown) => {
    const first = firstOf(value);
    const isReference = isObject(first) && '@id' in first && Object.keys(first).length === 1;
    return (isReference && named.get(first['@id'])) || first;
  };
  /** Returns a function that reads each value once, because many nodes may refer to the same value. */
  const once = (read: (value: unknown) => string | undefined) => {
    const known = new Map<unknown, string | undefined>();
    return (value: unknown) => {
      const node = whole(value);
      if (!known.has(node)) known.set(node, read(node));
      return known.get(node);
    };
  };
  const nameIn = once(nameOf);
  const addressIn = once(addressOf);
  /** Whether a node does not describe the page. The page itself may be a review, but other reviews are by visitors. */
  const isOther = (node: Node) =>
    isOf(node, OTHER_TYPES) && !(node === nodes[0] && isOf(node, REVIEW));
  const articles = nodes.filter((node) => isOf(node, ARTICLE_TYPES));
  for (const node of new Set([...articles, ...nodes])) {
    if (isOf(node, /^WebSite$/)) facts.site ??= nameOf(node.name);
    if (isOther(node)) continue;
    facts.author ??= nameOnly(nameIn(node.author)) ?? nameOnly(nameIn(node.creator));
    facts.publisher ??= nameIn(node.publisher);
    facts.published ??= textOf(node.datePublished);
    facts.modified ??= textOf(node.dateModified);
    facts.created ??= textOf(node.uploadDate) ?? textOf(node.dateCreated);
    facts.image ??= addressIn(node.image) ?? addressOf(node.thumbnailUrl);
  }
  return facts;
}

/**
 * Parses JSON despite errors that are common on real sites: line breaks in strings, commas before brackets, and
 * comments around the JSON.
 */
function parseScript(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^(?:<!--|(?:\/\/|\/\*)?\s{0,9}<!\[CDATA\[(?:\*\/)?)/, '')
    .replace(/(?:-->|(?:\/\/|\/\*)?\s{0,9}\]\]>(?:\*\/)?)$/, '')
    .trim();
  const parsed = parsePageJson(bare);
  if (parsed !== undefined) return parsed;
  return parsePageJson(bare.replace(/\p{Cc}/gu, ' ').replace(/,(?= ?[}\]])/g, ''));
}

/**
 * Returns the top-level nodes. The value may be a node, a list or a graph. The main entities of these nodes are
 * included.
 */
function nodesOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.filter(isObject).flatMap(ownNodes);
  return isObject(value) ? ownNodes(value) : [];
}

const ownNodes = (node: Node): Node[] =>
  [node['@graph'] ?? node, node.mainEntity, ...wrapped(node)].flat().filter(isObject);

/** Returns the articles in an object without a type. */
const wrapped = (node: Node): Node[] =>
  node['@type'] === undefined
    ? Object.values(node)
        .filter(isObject)
        .filter((value) => isOf(value, ARTICLE_TYPES))
    : [];

function nameOf(value: unknown): string | undefined {
  const first = firstOf(value);
  const name = firstOf(isObject(first) ? first.name : first);
  if (typeof name !== 'string' || name.length > MAX_NAME) return undefined;
  const text = decodeHTML(name.replace(/<[^<>]*>/g, '')).trim();
  return text === '' || /^https?:/i.test(text) ? undefined : text;
}

function addressOf(value: unknown): string | undefined {
  const first = firstOf(value);
  return textOf(isObject(first) ? (first.url ?? first.contentUrl) : first);
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.trim() || undefined : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
