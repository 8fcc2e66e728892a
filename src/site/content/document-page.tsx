/** The page of a document: text, dates, topics. */
import { raw } from 'hono/html';
import type { ContentDocument } from '../../core/content.ts';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import type { Shelf } from './shelves.ts';

interface DocumentPageProps {
  site: Site;
  shelf: Shelf;
  document: ContentDocument;
  html: string;
}

export function DocumentPage({ site, shelf, document, html }: DocumentPageProps) {
  const { title, description, tags, publishedAt, updatedAt } = document;
  return (
    <Layout site={site} title={`${title} · ${site.serviceName}`} description={description}>
      <article class="stack loose prose">
        <div class="stack tight">
          <p class="small">
            <a href={shelf.path}>{shelf.title}</a>
          </p>
          <h1>{title}</h1>
          <p class="lead">{description}</p>
          <p class="cluster fine soft">
            <time datetime={publishedAt}>{publishedAt.slice(0, 10)}</time>
            {updatedAt !== publishedAt && <span>changed {updatedAt.slice(0, 10)}</span>}
            {tags.map((tag) => (
              <span class="chip">{tag}</span>
            ))}
          </p>
        </div>
        <div class="prose">{raw(html)}</div>
      </article>
    </Layout>
  );
}
