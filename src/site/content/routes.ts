/** The pages of the written content: section lists and documents. */
import { SECTION_PATHS, type Section } from '../../core/content.ts';
import { notFound } from '../../core/errors.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { cachedPage } from '../page.ts';
import { siteOf } from '../site.ts';
import { SectionPage } from './section-page.tsx';

export interface Shelf {
  path: string;
  section: Section;
  title: string;
  summary: string;
}

const SHELVES: readonly Shelf[] = [
  {
    path: SECTION_PATHS.Blog,
    section: 'Blog',
    title: 'Blog',
    summary: 'What was built, what was measured, and why.',
  },
  {
    path: SECTION_PATHS['How-to'],
    section: 'How-to',
    title: 'How-to',
    summary: 'One task each, with commands that were run.',
  },
  {
    path: SECTION_PATHS.Comparisons,
    section: 'Comparisons',
    title: 'Comparisons',
    summary: 'This service beside other ways to do the same, with their strengths.',
  },
];

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
  return cachedPage(site, library.digest, async () => {
    const path = `${shelf.path}/${c.req.param('slug')}`;
    const found = library.find(path);
    if (!found) throw notFound(`There is no document at ${path.slice(0, 200)}.`);
    const { DocumentPage } = await import('./document-page.tsx');
    return DocumentPage({ site, shelf, document: found });
  });
}
