/** Finds the endpoints of the API that a query names, by their methods and paths or by their titles. */
import type { ReferenceIndex } from '../../core/reference.ts';
import { type EndpointEntry, type Entry, indexedWords, ranked } from './ranking.ts';

/** The maximum number of endpoints for each kind of match. */
const MAX_ENDPOINTS = 6;
const METHOD = /^(get|post|put|delete) +/i;

/** Converts field names to lower case and removes hyphens, so that a header matches the field with its name. */
const plainName = (name: string): string => name.toLowerCase().replaceAll('-', '');

export const endpointEntries = (reference: ReferenceIndex): EndpointEntry[] =>
  reference.flatMap(({ group, entries }) =>
    entries.map(({ id, title, purpose, method, path, words }) => ({
      ...{
        title,
        href: `/docs/api/${id}`,
        text: `${method} ${path}. ${purpose.replaceAll('`', '')}`,
      },
      id,
      call: `${method} ${path}`,
      isOfTool: group !== 'Endpoints',
      fields: plainName(words),
      words: [
        indexedWords(`${title} ${segmentsOf(path).join(' ')}`),
        '',
        group === 'Endpoints' ? indexedWords(`${purpose} ${words}`) : '',
      ],
    })),
  );

/**
 * If the query is a call, such as `DELETE /jobs/123`, `https://example.com/api/v1/usage?x=1` or `api/v1/usage`, returns
 * the endpoints with its path. If there are none, returns the endpoints whose paths begin with it. The list is empty
 * for other queries.
 */
export function endpointsCalled(entries: readonly EndpointEntry[], query: string): EndpointEntry[] {
  const method = METHOD.exec(query)?.[1];
  const called = pathOf(query.replace(METHOD, ''));
  const segments = segmentsOf(called);
  if (segments.length === 0 || !(method || called.includes('/'))) return [];
  const matching = entries.filter(({ call }) => isCalled(call, method, segments));
  const exact = matching.filter(({ call }) => segmentsOf(call).length === segments.length);
  return (exact.length > 0 ? exact : matching).slice(0, MAX_ENDPOINTS);
}

/** Returns the path of a URL, or of a path with a query string. The result is empty if the text contains spaces. */
function pathOf(text: string): string {
  const address = text.trim();
  if (address.includes(' ')) return '';
  return address.replace(/^https?:\/\/[^/]+/, '').split('?', 1)[0]!;
}

/**
 * Returns the endpoint whose operation or tool the query names, such as `createInput`, and the general endpoints whose
 * titles or paths contain the words of the query. With a lower `least`, matches in their descriptions and fields count
 * too.
 */
export function endpointsNamed(
  entries: readonly EndpointEntry[],
  query: string,
  least: number,
): EndpointEntry[] {
  const name = query.trim().toLowerCase();
  const exact = entries.filter(({ id }) => id.toLowerCase() === name);
  const general = entries.filter(({ isOfTool }) => !isOfTool);
  return [...new Set([...exact, ...ranked(general, query, least)])].slice(0, MAX_ENDPOINTS);
}

/** Matches names that are not words, such as `pageSize`. */
const CAMEL_CASE = /^[a-z]+[A-Z][A-Za-z]*$/;

/** Whether the query can only be the name of a field. */
export const isFieldName = (query: string): boolean => CAMEL_CASE.test(query.trim());

/**
 * Returns the endpoints with a field that has exactly this name. If there are many, the name is also a common word,
 * such as `text`. They are then returned only if `isLast` is true, which means that nothing else matches the query.
 */
export function endpointsWithField(
  entries: readonly EndpointEntry[],
  query: string,
  isLast: boolean,
): EndpointEntry[] {
  const name = plainName(query.trim());
  if (!/^\w+$/.test(name)) return [];
  const having = entries.filter(({ fields }) => ` ${fields} `.includes(` ${name} `));
  return having.length <= MAX_ENDPOINTS || isLast ? having.slice(0, MAX_ENDPOINTS) : [];
}

/** Returns the endpoints of the first two tools. */
export const endpointsOf = (entries: readonly EndpointEntry[], tools: readonly Entry[]) =>
  tools
    .slice(0, 2)
    .flatMap((tool) =>
      entries.filter(({ id, isOfTool }) => isOfTool && tool.href.endsWith(`/${id}`)),
    );

function isCalled(call: string, method: string | undefined, segments: readonly string[]): boolean {
  if (method && !call.startsWith(`${method.toUpperCase()} `)) return false;
  const own = segmentsOf(call);
  return segments.every((segment, index) => own[index] === segment || own[index]?.startsWith('{'));
}

/** Returns the segments of a path in lower case, without `/api`, `/v1` or `/api/v1`, and without a method before it. */
const segmentsOf = (path: string): string[] =>
  path
    .replace(/^[A-Z]+ /, '')
    .toLowerCase()
    .replace(/^\/?(?:api(?:\/v1)?|v1)(?=\/|$)/, '')
    .split('/')
    .filter((segment) => segment !== '');
