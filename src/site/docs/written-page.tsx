/** Renders a written page of /docs. */
import { raw } from 'hono/html';
import type { ContentDocument } from '../../core/content.ts';
import { headingsOf } from '../headings.ts';
import type { Site } from '../site.ts';
import { API, DocsLayout } from './docs-layout.tsx';
import type { DocsLink } from './pages.ts';
import { Starts } from './starts.tsx';

interface WrittenPageProps {
  site: Site;
  pages: readonly DocsLink[];
  document: ContentDocument;
  html: string;
}

export function WrittenPage({ site, pages, document, html }: WrittenPageProps) {
  const next = pages[pages.findIndex(({ path }) => path === document.path) + 1] ?? API;
  return (
    <DocsLayout
      site={site}
      pages={pages}
      title={document.title}
      summary={document.description}
      headings={headingsOf(html)}
    >
      <div class="prose">{raw(html)}</div>
      {document.path === '/docs' && <Starts />}
      <p class="next">
        Next: <a href={next.path}>{next.name}</a>
      </p>
    </DocsLayout>
  );
}
