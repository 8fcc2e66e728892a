/** The documents of a section, newest first. */
import type { ListedDocument } from '../../core/content.ts';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import type { Shelf } from './shelves.ts';

interface SectionPageProps {
  site: Site;
  shelf: Shelf;
  documents: readonly ListedDocument[];
}

export function SectionPage({ site, shelf, documents }: SectionPageProps) {
  return (
    <Layout site={site} title={`${shelf.title} · ${site.serviceName}`} description={shelf.summary}>
      <div class="stack loose">
        <div class="stack tight">
          <h1>{shelf.title}</h1>
          <p class="lead">{shelf.summary}</p>
        </div>
        <ul class="grid">
          {documents.map(({ path, title, description, updatedAt }) => (
            <li>
              <a class="card" href={path}>
                <strong>{title}</strong>
                <span class="small soft">{description}</span>
                <time class="fine soft stamp" datetime={updatedAt}>
                  {updatedAt.slice(0, 10)}
                </time>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Layout>
  );
}
