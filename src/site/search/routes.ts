/** The site-wide search page. */
import { type App, type AppContext, endpoint } from '../../http.ts';
import { cachedPage, page } from '../page.ts';
import { siteOf } from '../site.ts';
import { SearchPage } from './search-page.tsx';

export function searchPageRoutes(app: App, api: App): void {
  endpoint(app, '/search', { GET: (c) => answer(api, c) });
}

async function answer(app: App, c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const query = (c.req.query('q') ?? '').trim();
  if (query === '') return cachedPage(site, '', () => SearchPage({ site, query }));
  const { find, findNamed } = await import('./find.ts');
  const isTyped = c.req.query('typed') !== undefined;
  const found = isTyped ? await findNamed(c, query) : await find(app, c, query);
  const back = `/search?${new URLSearchParams({ q: query })}`;
  return page(SearchPage({ site: { ...site, back }, query, found, isTyped }), {
    status: found.status,
    headers: { 'Cache-Control': 'no-store' },
  });
}
