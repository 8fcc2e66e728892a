/** Registers the site-wide search page, and the index that pages search while the visitor types. */
import { type App, type AppContext, endpoint } from '../../http.ts';
import { CachedBody } from '../cached-body.ts';
import { cachedPage, page } from '../page.ts';
import { siteOf } from '../site.ts';
import { SearchPage } from './search-page.tsx';

export function searchPageRoutes(app: App): void {
  endpoint(app, '/search', { GET: answer });
  endpoint(app, '/search-index.json', { GET: index });
}

async function answer(c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const query = (c.req.query('q') ?? '').trim();
  if (query === '') return cachedPage(site, '', () => SearchPage({ site, query }));
  const { find } = await import('./find.ts');
  const found = await find(c, query);
  const back = `/search?${new URLSearchParams({ q: query })}`;
  return page(SearchPage({ site: { ...site, back }, query, found }), {
    status: found.refusal?.status ?? 200,
    headers: {
      'Cache-Control': 'no-store',
      ...(found.refusal?.retryAfter && { 'Retry-After': String(found.refusal.retryAfter) }),
    },
  });
}

let cached: { digest: string; body: CachedBody } | undefined;

async function index(c: AppContext): Promise<Response> {
  const library = await c.env.services.library();
  if (cached?.digest !== library.digest) {
    const { searchIndex } = await import('./search-index.ts');
    const body = await CachedBody.of(JSON.stringify(await searchIndex(c, library)), {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    });
    cached = { digest: library.digest, body };
  }
  return cached.body.answer(c.req.raw);
}
