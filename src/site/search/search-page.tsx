/** /search: the query and its results, which the search dialog of every page also uses. */
import { mostUsed } from '../../catalogue/kinds.ts';
import { Layout } from '../design/layout.tsx';
import { Message } from '../design/message.tsx';
import type { Site } from '../site.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';
import type { Found } from './find.ts';
import { SearchForm } from './search-form.tsx';

interface SearchPageProps {
  site: Site;
  query: string;
  /** Absent if there is no query. */
  found?: Found;
  /** Whether the visitor is still typing, so that only names were searched. */
  isTyped?: boolean;
}

export function SearchPage({ site, query, found, isTyped = false }: SearchPageProps) {
  return (
    <Layout
      site={site}
      title={`${query ? `${query} · ` : ''}Search · ${site.serviceName}`}
      description="Search tools, documents, how-tos, comparisons and the blog."
    >
      <div class="stack loose prose">
        <h1>Search</h1>
        <SearchForm query={query} />
        <div id="found" class="stack loose">
          {found && <Results query={query} found={found} isTyped={isTyped} />}
        </div>
        {query === '' && <Beginnings />}
      </div>
    </Layout>
  );
}

/** For visitors who have typed nothing yet. */
const Beginnings = () => (
  <section class="stack" aria-labelledby="most-used">
    <h2 id="most-used">Most used</h2>
    <ul class="grid near">
      {mostUsed().map((tool) => (
        <li>
          <a class="card" href={`/tools/${tool.name}`}>
            <ToolIcon tool={tool} />
            <strong>{tool.shortName}</strong>
          </a>
        </li>
      ))}
    </ul>
    <p>
      Or look at <a href="/#tools">all tools</a> and <a href="/how-to">all how-tos</a>.
    </p>
  </section>
);

function Results({ query, found, isTyped }: { query: string; found: Found; isTyped: boolean }) {
  if (found.message) {
    return (
      <p class="notice bad">
        <Message text={found.message} />
      </p>
    );
  }
  if (isTyped && found.groups.length === 0)
    return <p class="soft small">No title has these words. Press Enter to search the texts.</p>;
  if (found.groups.length === 0) {
    return (
      <p>
        Nothing was found for <strong>{query}</strong>. Try other words, or look at{' '}
        <a href="/#tools">all tools</a> and <a href="/how-to">all how-tos</a>.
      </p>
    );
  }
  return (
    <>
      {found.groups.map(({ name, hits }) => (
        <section class="stack tight">
          <h2 class="group">{name}</h2>
          <ul class="hits stack tight">
            {hits.map(({ title, heading, href, text }) => (
              <li>
                <a href={href}>
                  <strong>{title}</strong>
                  {heading && <span class="small"> › {heading}</span>}
                  <span class="small soft text">{text}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
