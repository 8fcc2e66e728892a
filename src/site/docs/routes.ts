/** Registers the pages of /docs. */
import type { ReferenceIndex, ReferencePage } from '../../core/reference.ts';
import { missingFor } from '../../execute/missing-component.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { documentHtml } from '../content/document-html.ts';
import { cachedPage } from '../page.ts';
import { siteOf } from '../site.ts';
import { toolsOff } from '../tools-off.ts';
import { withOffMarked } from './mark-off.ts';
import { DOCS_PATHS, docsLinks } from './pages.ts';
import { readReference } from './read-reference.ts';

export function docsRoutes(app: App): void {
  for (const path of DOCS_PATHS) endpoint(app, path, { GET: (c) => writtenPage(c, path) });
  endpoint(app, '/mcp', { GET: (c) => c.redirect('/docs/mcp', 302) });
  endpoint(app, '/docs/api', { GET: referenceIndex });
  endpoint(app, '/docs/api/:id', { GET: endpointPage });
}

async function writtenPage(c: AppContext, path: string): Promise<Response> {
  const library = await c.env.services.library();
  const site = siteOf(c);
  return cachedPage(site, library.digest, async () => {
    const { WrittenPage } = await import('./written-page.tsx');
    const html = await documentHtml(c, path);
    return WrittenPage({ site, pages: docsLinks(library), document: library.find(path)!, html });
  });
}

async function referenceIndex(c: AppContext): Promise<Response> {
  const library = await c.env.services.library();
  const site = siteOf(c);
  return cachedPage(site, library.digest, async () => {
    const { ReferenceIndexPage } = await import('./reference-index.tsx');
    const reference = await readReference<ReferenceIndex>(c, 'reference.json');
    return ReferenceIndexPage({ site, pages: docsLinks(library), reference, off: toolsOff(c) });
  });
}

async function endpointPage(c: AppContext): Promise<Response> {
  const library = await c.env.services.library();
  const site = siteOf(c);
  const id = c.req.param('id')!;
  const named = endpointNamed(await readReference<ReferenceIndex>(c, 'reference.json'), id);
  if (named) return c.redirect(`/docs/api/${named}`, 301);
  return cachedPage(site, library.digest, async () => {
    const page = withOffMarked(
      await readReference<ReferencePage>(c, `reference/${id}.json`),
      toolsOff(c),
    );
    const reference = await readReference<ReferenceIndex>(c, 'reference.json');
    const { EndpointPage } = await import('./reference-page.tsx');
    const tool = page.isTool ? findTool(id) : undefined;
    const missing = tool && missingFor(tool, c.env.services.ports);
    return EndpointPage({ site, pages: docsLinks(library), reference, page, missing });
  });
}

/**
 * Returns the id of the first endpoint whose path ends with a name that visitors guess: `chain`, or `jobs` for
 * `/api/v1/jobs/{id}`. Returns undefined if the name is itself an id, or if there is no such endpoint.
 */
function endpointNamed(reference: ReferenceIndex, name: string): string | undefined {
  const entries = reference.flatMap(({ entries: ofGroup }) => ofGroup);
  if (entries.some(({ id }) => id === name)) return;
  return entries.find(({ path }) => path.replace(/\/{.*/, '').endsWith(`/${name}`))?.id;
}
