/** A written page of /docs. */
import { raw } from 'hono/html';
import { withAddresses } from '../../content/addresses.ts';
import { markdownHtml } from '../markdown.ts';
import type { Site } from '../site.ts';
import { DocsLayout } from './docs-layout.tsx';
import type { DocsDocument } from './documents.ts';

export function WrittenPage({ site, document }: { site: Site; document: DocsDocument }) {
  const html = markdownHtml(withAddresses(document.markdown, site));
  const places = [...html.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>/g)].map(([, id, name]) => ({
    id: id!,
    name: name!,
  }));
  return (
    <DocsLayout site={site} title={document.title} summary={document.summary} places={places}>
      <div class="prose">{raw(html)}</div>
    </DocsLayout>
  );
}
