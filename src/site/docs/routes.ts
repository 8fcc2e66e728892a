/** The pages of /docs. */
import { type App, type AppContext, endpoint } from '../../http.ts';
import { cachedPage } from '../page.ts';
import { siteOf } from '../site.ts';
import { DOCS_PATHS, docsLinks } from './pages.ts';

export function docsRoutes(app: App): void {
  for (const path of DOCS_PATHS) endpoint(app, path, { GET: (c) => writtenPage(c, path) });
  endpoint(app, '/docs/api', { GET: apiPage });
}

async function writtenPage(c: AppContext, path: string): Promise<Response> {
  const library = await c.env.services.library();
  const site = siteOf(c);
  return cachedPage(site, library.digest, async () => {
    const { WrittenPage } = await import('./written-page.tsx');
    return WrittenPage({ site, pages: docsLinks(library), document: library.find(path)! });
  });
}

async function apiPage(c: AppContext): Promise<Response> {
  const library = await c.env.services.library();
  const site = siteOf(c);
  return cachedPage(site, library.digest, async () => {
    const { ApiPage } = await import('./api-page.tsx');
    const { openApi } = await import('../../catalogue/openapi.ts');
    const description = openApi(site.baseUrl, site.serviceName);
    return ApiPage({ site, pages: docsLinks(library), description });
  });
}
