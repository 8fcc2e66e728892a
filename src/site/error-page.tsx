/** Renders errors as pages for people. A browser that navigates to a missing page gets help instead of JSON. */

import type { Tool } from '../core/define-tool.ts';
import { canonicalPath } from '../core/trim-end.ts';
import type { AppContext } from '../http.ts';
import { TOOLS } from '../tools/registry.ts';
import { Layout } from './design/layout.tsx';
import { page } from './page.ts';
import { SearchForm } from './search/search-form.tsx';
import { type Site, siteOf } from './site.ts';
import { ToolCards } from './tool/tool-cards.tsx';

/**
 * Returns the error as a page if a browser navigated to a page of the site, and unchanged otherwise. A missing path
 * with a trailing slash is redirected.
 */
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
    // The API's message for 500 refers to the field `requestId`. This page shows the ID itself.
    message: status === 500 ? 'The error is on our side. Try again in a moment.' : error,
    near: status === 404 ? nearTools(path) : [],
    requestId: status >= 500 ? requestId : undefined,
  });
  return page(markup, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
}

/** Redirects to the URL without a trailing slash, because the URLs of our pages have none. */
function withoutSlash(url: string): Response {
  const { pathname, search } = new URL(url);
  // The path begins with exactly one slash, because a path that begins with two slashes would redirect to another host.
  const Location = `${canonicalPath(pathname)}${search}`;
  return new Response(null, { status: 301, headers: { Location, 'Cache-Control': 'no-store' } });
}

interface ErrorPageProps {
  site: Site;
  status: number;
  message: string;
  near: readonly Tool[];
  /** The ID is shown so that the visitor can quote it to the operator. */
  requestId: string | undefined;
}

function ErrorPage({ site, status, message, near, requestId }: ErrorPageProps) {
  const { path } = site;
  const title = status === 404 ? 'Page not found' : 'Something went wrong';
  return (
    <Layout site={site} title={`${title} · ${site.serviceName}`} description={title}>
      <div class="stack loose prose">
        <div class="stack tight">
          <p class="soft">{status}</p>
          <h1>{title}</h1>
          <p class="lead">{message}</p>
          {requestId && (
            <p class="small soft">
              If this persists, quote this request ID to the operator: <code>{requestId}</code>.
            </p>
          )}
        </div>
        {near.length > 0 && (
          <div class="stack tight">
            <h2>Did you mean</h2>
            <ToolCards tools={near} />
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

/** Returns up to five tools whose names contain at least half of the path's words. The best matches come first. */
function nearTools(path: string) {
  const words = wordsOf(path);
  const shared = ({ name }: { name: string }) => words.filter((word) => name.includes(word)).length;
  return TOOLS.filter((tool) => shared(tool) > 0 && 2 * shared(tool) >= words.length)
    .sort((one, other) => shared(other) - shared(one))
    .slice(0, 5);
}

const wordsOf = (path: string) =>
  path
    .toLowerCase()
    .slice(0, 200)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && word !== 'tools');
