/**
 * Handles GET /api/v1/content, and also serves the documents as llms.txt, as a site map and as feeds, and the skill for
 * agents.
 */
import { withAddresses } from '../content/addresses.ts';
import { SKILL_PATH, skillIndex, skillText } from '../content/agent-skill.ts';
import { atomFeed, jsonFeed } from '../content/feeds.ts';
import type { Library } from '../content/library.ts';
import { fullText, linkList } from '../content/llms-text.ts';
import { siteMap } from '../content/site-map.ts';
import type { Config } from '../core/config.ts';
import { type ListedDocument, SECTIONS, type Section, UNLISTED } from '../core/content.ts';
import { badRequest, notFound } from '../core/errors.ts';
import { canonicalPath } from '../core/trim-end.ts';
import { type App, type AppContext, limitedGet } from '../http.ts';
import { acceptsMarkdown } from './accept.ts';
import { withEtag } from './etag.ts';

const MAX_PAGE = 100;
const FEED_ENTRIES = 50;

type Make = (library: Library, config: Config) => BodyInit;

export function contentRoutes(app: App): void {
  limitedGet(app, '/api/v1/content', 'content', getContent);
  const derived = (path: string, type: string, make: Make) =>
    limitedGet(app, path, 'content', async (c) => {
      const library = await c.env.services.library();
      return withEtag(c, [library.digest, path], { 'Content-Type': type }, () =>
        make(library, c.env.services.config),
      );
    });
  derived('/llms.txt', 'text/plain; charset=utf-8', (library, config) =>
    linkList(everything(library), config),
  );
  derived('/llms-full.txt', 'text/plain; charset=utf-8', (library, config) =>
    fullText(library.whole(), config),
  );
  derived(SKILL_PATH, 'text/markdown; charset=utf-8', (_, config) => skillText(config));
  derived('/.well-known/skills/index.json', 'application/json', () => JSON.stringify(skillIndex()));
  derived('/sitemap.xml', 'application/xml; charset=utf-8', (library, config) =>
    siteMap(everything(library), library.reference, config),
  );
  derived('/feed.xml', 'application/atom+xml; charset=utf-8', (library, config) =>
    atomFeed(posts(library), config),
  );
  derived('/feed.json', 'application/feed+json; charset=utf-8', (library, config) =>
    jsonFeed(posts(library), config),
  );
}

/** Returns the documents of the section `UNLISTED`, followed by those that the content endpoint lists. */
const everything = (library: Library): ListedDocument[] => [
  ...library.list({ section: UNLISTED }).documents,
  ...library.list().documents,
];

const posts = (library: Library): ListedDocument[] =>
  library.list({ section: 'Blog', limit: FEED_ENTRIES }).documents;

async function getContent(c: AppContext): Promise<Response> {
  const section = sectionOf(c.req.query('section'));
  const path = c.req.query('path');
  if (path !== undefined) return getDocument(c, path, section);
  const page = pageOf(c);
  const { config } = c.env.services;
  const library = await c.env.services.library();
  const names = [library.digest, section, page.limit, page.from];
  return withEtag(c, names, { 'Content-Type': 'application/json' }, () => {
    const { documents, next } = library.list({ section, ...page });
    return JSON.stringify({
      documents: documents.map((document) => withUrl(document, config.baseUrl)),
      count: documents.length,
      ...(page.limit !== undefined && { nextCursor: next === null ? null : String(next) }),
    });
  });
}

async function getDocument(
  c: AppContext,
  path: string,
  section: Section | undefined,
): Promise<Response> {
  const { config } = c.env.services;
  const library = await c.env.services.library();
  const document = library.find(canonicalPath(path));
  if (!document || (section && document.section !== section)) {
    throw notFound(
      `There is no document at ${path.slice(0, 200).toWellFormed()}${document ? ` in the section ${section}` : ''}. GET /api/v1/content lists all documents.`,
      'path',
    );
  }
  const { markdown, ...listed } = document;
  const body = withAddresses(markdown, config);
  const alone = acceptsMarkdown(c.req.header('Accept'));
  const type = alone ? 'text/markdown; charset=utf-8' : 'application/json';
  return withEtag(
    c,
    [library.digest, document.path, type],
    { 'Content-Type': type, Vary: 'Accept' },
    () =>
      alone ? `${body}\n` : JSON.stringify({ ...withUrl(listed, config.baseUrl), markdown: body }),
  );
}

const withUrl = (document: ListedDocument, baseUrl: string) => ({
  ...document,
  url: baseUrl + document.path,
});

function sectionOf(text: string | undefined): Section | undefined {
  if (text === undefined) return undefined;
  const section = SECTIONS.find((name) => name.toLowerCase() === text.trim().toLowerCase());
  if (section) return section;
  throw badRequest(`"section" must be one of: ${SECTIONS.join(', ')}.`, 'section');
}

function pageOf(c: AppContext): { limit?: number; from?: number } {
  const limit = c.req.query('limit');
  const cursor = c.req.query('cursor');
  if (limit === undefined) {
    if (cursor === undefined) return {};
    throw badRequest('"cursor" requires "limit".', 'cursor');
  }
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_PAGE) {
    throw badRequest(`"limit" must be a whole number from 1 to ${MAX_PAGE}.`, 'limit');
  }
  if (cursor !== undefined && !/^\d{1,8}$/.test(cursor)) {
    throw badRequest('"cursor" must be the "nextCursor" of the previous page.', 'cursor');
  }
  return { limit: Number(limit), from: Number(cursor ?? 0) };
}
