/** Renders a written page of /docs. */
import { raw } from 'hono/html';
import type { ContentDocument } from '../../core/content.ts';
import { withLimitsNote } from '../content/limits-note.ts';
import { headingsOf } from '../headings.ts';
import type { Site } from '../site.ts';
import { API, DocsLayout } from './docs-layout.tsx';
import type { GuideLink } from './pages.ts';
import { Starts } from './starts.tsx';

interface WrittenPageProps {
  site: Site;
  pages: readonly GuideLink[];
  document: ContentDocument;
  html: string;
}

export function WrittenPage({ site, pages, document, html }: WrittenPageProps) {
  const next = pages[pages.findIndex(({ path }) => path === document.path) + 1] ?? API;
  const isStart = document.path === '/docs';
  return (
    <DocsLayout
      site={site}
      pages={pages}
      title={document.title}
      summary={document.description}
      headings={headingsOf(html)}
    >
      {isStart && (
        <p class="notice measure">
          You need no code to use the tools in your browser: open <a href="/#tools">a tool</a>, or
          follow <a href="/how-to">a how-to</a> step by step.
        </p>
      )}
      <div class="prose">{raw(withLimitsNote(html, site))}</div>
      {isStart && <Starts />}
      <p class="next">
        Next: <a href={next.path}>{next.name}</a>
      </p>
    </DocsLayout>
  );
}
