/** A written page of /docs. */
import { raw } from 'hono/html';
import type { ContentDocument } from '../../core/content.ts';
import type { Site } from '../site.ts';
import { DocsLayout } from './docs-layout.tsx';
import type { DocsLink } from './pages.ts';

interface WrittenPageProps {
  site: Site;
  pages: readonly DocsLink[];
  document: ContentDocument;
  html: string;
}

export function WrittenPage({ site, pages, document, html }: WrittenPageProps) {
  const headings = [...html.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>/g)].map(([, id, name]) => ({
    id: id!,
    name: name!,
  }));
  return (
    <DocsLayout
      site={site}
      pages={pages}
      title={document.title}
      summary={document.description}
      headings={headings}
    >
      <div class="prose">{raw(html)}</div>
    </DocsLayout>
  );
}
