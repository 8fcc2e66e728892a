/** The routes of the written content: section lists and documents. */
import { notFound } from '../../core/errors.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { cachedPage } from '../page.ts';
import { siteOf } from '../site.ts';
import { documentHtml } from './document-html.ts';
import { relatedTo } from './related.ts';
import { SectionPage } from './section-page.tsx';
import { SHELVES, type Shelf } from './shelves.ts';

export function contentPageRoutes(app: App): void {
  for (const shelf of SHELVES) {
    endpoint(app, shelf.path, { GET: (c) => list(c, shelf) });
    endpoint(app, `${shelf.path}/:slug`, { GET: (c) => document(c, shelf) });
  }
}

async function list(c: AppContext, shelf: Shelf): Promise<Response> {
  const library = await c.env.services.library();
  const site = siteOf(c);
  return cachedPage(site, library.digest, () => {
    const { documents } = library.list({ section: shelf.section });
    return SectionPage({ site, shelf, documents });
  });
}

async function document(c: AppContext, shelf: Shelf): Promise<Response> {
  const library = await c.env.services.library();
  const site = siteOf(c);
  const path = `${shelf.path}/${c.req.param('slug')}`;
  const found = library.find(path);
  if (!found) throw notFound(`There is no document at ${path.slice(0, 200)}.`);
  if (found.path !== path) return c.redirect(found.path, 301);
  return cachedPage(site, library.digest, async () => {
    const { DocumentPage } = await import('./document-page.tsx');
    const related = relatedTo(path, library.list({ section: shelf.section }).documents);
    const html = await documentHtml(c, path);
    return DocumentPage({ site, shelf, document: found, html, related });
  });
}
