/** Errors for people: what browsers navigate to and is not there gets a page that helps on. */
import { toToolError } from '../core/errors.ts';
import type { AppContext } from '../http.ts';
import { TOOLS } from '../tools/registry.ts';
import { Layout } from './design/layout.tsx';
import { page } from './page.ts';
import { type Site, siteOf } from './site.ts';

/** The error as a page, or null where a program asked. */
export async function errorPage(thrown: unknown, c: AppContext): Promise<Response | null> {
  const { method, path } = c.req;
  const isForPeople =
    method === 'GET' &&
    !/^\/(api|\.well-known|assets)(\/|$)/.test(path) &&
    (c.req.header('Accept') ?? '').includes('text/html');
  if (!isForPeople) return null;
  const { status, message, retryAfter } = toToolError(thrown);
  // What is not our words is logged where all errors are.
  if (status >= 500) return null;
  const site = siteOf(c);
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return page(ErrorPage({ site, status, message, near: nearTools(path) }), { status, headers });
}

interface ErrorPageProps {
  site: Site;
  status: number;
  message: string;
  near: { name: string; title: string }[];
}

function ErrorPage({ site, status, message, near }: ErrorPageProps) {
  const title = status === 404 ? 'There is nothing here' : 'This did not work';
  return (
    <Layout site={site} title={`${title} · ${site.serviceName}`} description={title}>
      <div class="stack loose prose">
        <div class="stack tight">
          <p class="soft">{status}</p>
          <h1>{title}</h1>
          <p class="lead">{message}</p>
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
        <div class="cluster">
          <a class="button main" href="/#tools">
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

/** Tools whose names share a word with the path. */
function nearTools(path: string) {
  const words = path
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && word !== 'tools');
  return TOOLS.filter(({ name }) => words.some((word) => name.includes(word))).slice(0, 5);
}
