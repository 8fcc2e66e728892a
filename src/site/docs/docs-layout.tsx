/** Renders the layout of /docs, with the list of pages beside the current page. */
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ReferenceIndex } from '../../core/reference.ts';
import { SHELVES } from '../content/shelves.ts';
import { Layout } from '../design/layout.tsx';
import type { Heading } from '../headings.ts';
import type { Site } from '../site.ts';
import type { DocsLink, GuideLink } from './pages.ts';

interface DocsLayoutProps {
  site: Site;
  /** The links to the written pages, for navigation. */
  pages: readonly GuideLink[];
  /** The index of the API reference. Set only on pages of the reference. */
  reference?: ReferenceIndex;
  title: string;
  summary: string;
  /** The content of the header. Default: the title and the summary. */
  intro?: Child;
  /** The headings of this page. */
  headings?: readonly Heading[];
  scripts?: readonly string[];
  children: Child;
}

export const API = { path: '/docs/api', name: 'API reference' };

/** The lists of documents outside /docs, except the blog. */
const GUIDES: DocsLink[] = SHELVES.filter(({ section }) => section !== 'Blog').map(
  ({ path, title }) => ({ path, name: title }),
);

export function DocsLayout(props: DocsLayoutProps) {
  const { site, reference, title, summary, intro, headings = [], scripts = [], children } = props;
  return (
    <Layout
      site={site}
      title={`${title} · ${site.serviceName} docs`}
      description={summary}
      scripts={['docs.js', ...scripts]}
    >
      <div class="docs">
        <nav class="contents" aria-label="Docs">
          <ul>
            {[...props.pages, API, ...GUIDES].map((page) => (
              <PageLink site={site} page={page} headings={headings} />
            ))}
          </ul>
          {reference && (
            <ReferenceLinks
              site={site}
              guides={props.pages}
              reference={reference}
              headings={headings}
            />
          )}
        </nav>
        <div class="stack loose">
          <div class="stack tight">
            {intro ?? (
              <>
                <h1>{title}</h1>
                <p class="lead">{summary}</p>
              </>
            )}
          </div>
          {children}
        </div>
      </div>
    </Layout>
  );
}

interface PageLinkProps {
  site: Site;
  page: DocsLink;
  headings: readonly Heading[];
  /** The method and the path of an endpoint. */
  call?: string;
  /** The search terms for the page, besides its name and its call. */
  words?: string;
}

/** Renders an entry in the list of pages. The entry of the current page also lists its headings. */
function PageLink({ site, page: { path, name }, headings, call, words }: PageLinkProps) {
  const isCurrent = path === site.path;
  return (
    <li data-call={call} data-words={words}>
      <a href={path} aria-current={isCurrent ? 'page' : undefined}>
        {name}
      </a>
      {isCurrent && headings.length > 0 && (
        <ul class="headings">
          {headings.map(({ id, name: location }) => (
            <li>
              <a href={`#${id}`}>{raw(location)}</a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface ReferenceLinksProps {
  site: Site;
  /** The written pages, which are shown only as results of the search in this list. */
  guides: readonly GuideLink[];
  reference: ReferenceIndex;
  headings: readonly Heading[];
}

function ReferenceLinks({ site, guides, reference, headings }: ReferenceLinksProps) {
  const common = commonFields(reference);
  // Names of tools in a guide must not match the guide, because each tool has its own entry.
  const ids = new Set(reference.flatMap(({ entries }) => entries.map(({ id }) => id)));
  return (
    <div class="reference-links stack">
      <div class="field" data-js hidden>
        <label for="find-entry" class="hidden">
          Find an endpoint, a path, a tool or a field
        </label>
        <input
          id="find-entry"
          type="search"
          placeholder="Find in the API"
          autocomplete="off"
          spellcheck={false}
        />
        <p class="hidden" role="status" data-found />
        <p class="small" data-elsewhere hidden>
          Nothing in the API matches. <a href="/search">Search everything</a>
        </p>
      </div>
      <div data-results hidden>
        <ul />
      </div>
      <div data-guides hidden>
        <ul>
          {guides.map((page) => (
            <PageLink site={site} page={page} headings={[]} words={without(page.words, ids)} />
          ))}
        </ul>
      </div>
      {reference.map(({ group, entries }) => (
        <div>
          <p class="group">{group}</p>
          <ul>
            {entries.map(({ id, title, method, path, words }) => (
              <PageLink
                site={site}
                page={{ path: `/docs/api/${id}`, name: title }}
                headings={headings}
                call={`${method} ${path}`}
                words={group === GENERAL ? words : without(words, common)}
              />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** The group of the endpoints that belong to no single tool. */
const GENERAL = 'Endpoints';

/**
 * Returns the fields and headers that more than half of the endpoints have, such as `webhook`. A search for them finds
 * only the general endpoints, because a list of nearly all tools helps nobody.
 */
function commonFields(reference: ReferenceIndex): ReadonlySet<string> {
  const fields = reference.flatMap(({ entries }) => entries.map(({ words }) => words.split(' ')));
  const all = fields.flatMap((words) => [...new Set(words)]);
  const counted = Map.groupBy(all, (word) => word);
  return new Set(
    [...counted].filter(([, uses]) => 2 * uses.length > fields.length).map(([word]) => word),
  );
}

const without = (words: string, common: ReadonlySet<string>): string =>
  words
    .split(' ')
    .filter((word) => !common.has(word))
    .join(' ');
