/** The pages of /docs. */
import { openApi } from '../../catalogue/openapi.ts';
import { type App, endpoint } from '../../http.ts';
import { keptPage } from '../page.ts';
import { siteOf } from '../site.ts';
import { ApiPage } from './api-page.tsx';
import { DOCUMENTS } from './documents.ts';
import { WrittenPage } from './written-page.tsx';

export function docsRoutes(app: App): void {
  for (const document of DOCUMENTS) {
    endpoint(app, document.path, {
      GET: (c) => {
        const site = siteOf(c);
        return keptPage(site, 0, () => WrittenPage({ site, document }));
      },
    });
  }
  endpoint(app, '/docs/api', {
    GET: (c) => {
      const site = siteOf(c);
      return keptPage(site, 0, () =>
        ApiPage({ site, description: openApi(site.baseUrl, site.serviceName) }),
      );
    },
  });
}
