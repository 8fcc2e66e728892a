/** The pages of /docs. */
import { openApi } from '../../catalogue/openapi.ts';
import { type App, endpoint } from '../../http.ts';
import { keptPage } from '../page.ts';
import { siteOf } from '../site.ts';
import { DOCUMENTS } from './documents.ts';

export function docsRoutes(app: App): void {
  for (const document of DOCUMENTS) {
    endpoint(app, document.path, {
      GET: (c) => {
        const site = siteOf(c);
        return keptPage(site, 0, async () => {
          const { WrittenPage } = await import('./written-page.tsx');
          return WrittenPage({ site, document });
        });
      },
    });
  }
  endpoint(app, '/docs/api', {
    GET: (c) => {
      const site = siteOf(c);
      return keptPage(site, 0, async () => {
        const { ApiPage } = await import('./api-page.tsx');
        return ApiPage({ site, description: openApi(site.baseUrl, site.serviceName) });
      });
    },
  });
}
