/** Renders /search, with the query and its results. The search dialog of every page shows only matching names. */
import { raw } from 'hono/html';
import { mostUsed } from '../../catalogue/kinds.ts';
import { Layout } from '../design/layout.tsx';
import { Message } from '../design/message.tsx';
import { PageHead } from '../design/page-head.tsx';
import type { Site } from '../site.ts';
import { ToolCards } from '../tool/tool-cards.tsx';
import type { Found, Hit } from './find.ts';
import { Marked } from './marked.tsx';
import type { ToolEntry } from './ranking.ts';
import { SearchForm } from './search-form.tsx';
import { ABOUT_SERVICE } from './service-pages.ts';

interface SearchPageProps {
  site: Site;
  query: string;
  /** The results. Undefined if there is no query. */
  found?: Found;
}

export function SearchPage({ site, query, found }: SearchPageProps) {
  return (
    <Layout
      site={site}
      title={`${query ? `${query} · ` : ''}Search · ${site.serviceName}`}
      description="Search tools, documents, how-tos, comparisons and the blog."
      scripts={['search.js']}
    >
      <div class="page">
        <PageHead title="Search" lead="Tools, how-tos, documentation, comparisons and the blog." />
        <SearchForm query={query} isPage />
        <p id="found-status" class="hidden" role="status" />
        <div id="found" class="page measure">
          {found && <Results query={query} found={found} />}
        </div>
        {query === '' && (
          <div id="beginnings">
            <Beginnings />
          </div>
        )}
      </div>
    </Layout>
  );
}

/** Shows the most used tools to visitors who have not typed anything yet. */
const Beginnings = () => (
  <section aria-labelledby="most-used">
    <h2 id="most-used">Most used</h2>
    <ToolCards tools={mostUsed()} />
    <p>
      Or look at <a href="/#tools">all tools</a> and <a href="/how-to">all how-tos</a>.
    </p>
  </section>
);

function Results({ query, found }: { query: string; found: Found }) {
  const { pages, note, tools, endpoints, groups, refusal } = found;
  const isNamed = pages.length + tools.length + endpoints.length > 0;
  const isEmpty = !isNamed && groups.length === 0;
  return (
    <>
      {refusal && (
        <p class="notice bad">
          <Message text={refusal.message} />
        </p>
      )}
      {isEmpty && !note && refusal?.status === 429 && (
        <p>
          No name matches <strong>{query}</strong>. Look at <a href="/#tools">all tools</a> and{' '}
          <a href="/how-to">all how-tos</a>.
        </p>
      )}
      {note && (
        <p class="notice">
          {note.text} {note.link && <a href={note.link.href}>{note.link.text}</a>}
        </p>
      )}
      {isEmpty && !refusal && (
        <p>
          {note ? (
            'Look'
          ) : (
            <>
              Nothing was found for <strong>{query}</strong>. Try other words, or look
            </>
          )}{' '}
          at <a href="/#tools">all tools</a> and <a href="/how-to">all how-tos</a>.
        </p>
      )}
      {!isEmpty && !note && !isNamed && (
        <p>
          No tool matches <strong>{query}</strong>. These texts mention it.
        </p>
      )}
      {pages.length > 0 && <Hits name={ABOUT_SERVICE} hits={pages} query={query} />}
      {tools.length > 0 && <Tools tools={tools} query={query} />}
      {endpoints.length > 0 && <Hits name="API reference" hits={endpoints} query={query} />}
      {groups.map(({ name, hits }) => (
        <Hits name={name} hits={hits} query={query} />
      ))}
    </>
  );
}

const Tools = ({ tools, query }: { tools: readonly ToolEntry[]; query: string }) => (
  <section>
    <h2 class="group">{tools.length === 1 ? 'Tool' : 'Tools'}</h2>
    <ul class="hits">
      {tools.map(({ title, href, text, kind, icon }) => (
        <li>
          <a href={href} class="tool-hit">
            <span class="tool-icon" data-kind={kind}>
              <svg class="line-icon" viewBox="0 0 24 24" width={20} height={20} aria-hidden="true">
                {raw(icon)}
              </svg>
            </span>
            <span>
              <strong>{title}</strong>
              <span class="small soft text">
                <Marked text={text} query={query} />
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);

interface HitsProps {
  name: string;
  hits: readonly (Omit<Hit, 'heading'> & { heading?: string })[];
  query: string;
}

const Hits = ({ name, hits, query }: HitsProps) => (
  <section>
    <h2 class="group">{name}</h2>
    <ul class="hits">
      {hits.map(({ title, heading, href, text }) => (
        <li>
          <a href={href}>
            <strong>{title}</strong>
            {heading && <span class="small"> › {heading}</span>}
            <span class="small soft text">
              <Marked text={text} query={query} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);
