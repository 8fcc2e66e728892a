/** A written page of /docs. */
import { raw } from 'hono/html';
import type { ContentDocument } from '../../core/content.ts';
import { headingsOf } from '../headings.ts';
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
  return (
    <DocsLayout
      site={site}
      pages={pages}
      title={document.title}
      summary={document.description}
      headings={headingsOf(html)}
    >
      <div class="prose">{raw(html)}</div>
    </DocsLayout>
  );
}
