/** Errors for people: what browsers navigate to and is not there gets a page that helps on. */

import { canonicalPath } from '../core/trim-end.ts';
import type { AppContext } from '../http.ts';
import { TOOLS } from '../tools/registry.ts';
import { Layout } from './design/layout.tsx';
import { page } from './page.ts';
import { SearchForm } from './search/search-form.tsx';
import { type Site, siteOf } from './site.ts';

/** The error as a page; as it was `presented` where a program asked. */
export async function errorPage(presented: Response, c: AppContext): Promise<Response> {
  const { method, path } = c.req;
  const accept = c.req.header('Accept') ?? '';
  const isForPeople =
    method === 'GET' &&
    !/^\/(api|\.well-known|assets)(\/|$)/.test(path) &&
    accept.includes('text/html') &&
    !accept.includes('problem+json');
  if (!isForPeople) return presented;
  const { status } = presented;
  if (status === 404 && /[^/]\/+$/.test(path)) return withoutSlash(c.req.url);
  const { 'content-type': _, ...headers } = Object.fromEntries(presented.headers);
  const { error, requestId } = (await presented.json()) as { error: string; requestId: string };
  const markup = ErrorPage({
    site: siteOf(c),
    status,
    message: error,
    near: status === 404 ? nearTools(path) : [],
    requestId: status >= 500 ? requestId : undefined,
  });
  return page(markup, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
}

/** No page of ours ends with a slash, and people type one. */
function withoutSlash(url: string): Response {
  const { pathname, search } = new URL(url);
  // One slash in front: two would lead to another host.
  const Location = `${canonicalPath(pathname)}${search}`;
  return new Response(null, { status: 301, headers: { Location, 'Cache-Control': 'no-store' } });
}

interface ErrorPageProps {
  site: Site;
  status: number;
  message: string;
  near: { name: string; title: string }[];
  /** To be told to who runs the service. */
  requestId: string | undefined;
}

function ErrorPage({ site, status, message, near, requestId }: ErrorPageProps) {
  const { path } = site;
  const title = status === 404 ? 'There is nothing here' : 'This did not work';
  return (
    <Layout site={site} title={`${title} · ${site.serviceName}`} description={title}>
      <div class="stack loose prose">
        <div class="stack tight">
          <p class="soft">{status}</p>
          <h1>{title}</h1>
          <p class="lead">{message}</p>
          {requestId && (
            <p class="small soft">
              If it stays so, tell who runs this service the number <code>{requestId}</code>.
            </p>
          )}
        </div>
        {near.length > 0 && (
          <div class="stack tight">
            <h2>Perhaps you meant</h2>
            <ul>
              {near.map(({ name, title: toolTitle }) => (
                <li>
                  <a href={`/tools/${name}`}>{toolTitle}</a>
                </li>
              ))}
            </ul>
          </div>
        )}
        {status === 404 && <SearchForm query={wordsOf(path).join(' ')} />}
        <div class="cluster">
          <a class="button" href="/#tools">
            All tools
          </a>
          <a class="button" href="/docs">
            Docs
          </a>
        </div>
      </div>
    </Layout>
  );
}

/** Tools whose names share words with the path, those that share most first. */
function nearTools(path: string) {
  const words = wordsOf(path);
  const shared = ({ name }: { name: string }) => words.filter((word) => name.includes(word)).length;
  return TOOLS.filter((tool) => shared(tool) > 0)
    .sort((one, other) => shared(other) - shared(one))
    .slice(0, 5);
}

const wordsOf = (path: string) =>
  path
    .toLowerCase()
    .slice(0, 200)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && word !== 'tools');
