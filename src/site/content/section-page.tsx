/** The documents of a section: how-tos by task, the others newest first. */
import type { ListedDocument } from '../../core/content.ts';
import { Day } from '../design/day.tsx';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import { HOW_TO_GROUPS } from './how-to-groups.ts';
import type { Shelf } from './shelves.ts';

interface SectionPageProps {
  site: Site;
  shelf: Shelf;
  documents: readonly ListedDocument[];
}

export function SectionPage({ site, shelf, documents }: SectionPageProps) {
  const groups = HOW_TO_GROUPS.map(([heading, names]) => ({
    heading,
    listed: names.flatMap((name) => documents.filter(({ path }) => path === `/how-to/${name}`)),
  }));
  return (
    <Layout site={site} title={`${shelf.title} · ${site.serviceName}`} description={shelf.summary}>
      <div class="stack loose">
        <div class="stack tight">
          <h1>{shelf.title}</h1>
          <p class="lead">{shelf.summary}</p>
        </div>
        {shelf.section === 'How-to' ? (
          groups.map(({ heading, listed }) => (
            <section class="stack">
              <h2>{heading}</h2>
              <Documents documents={listed} />
            </section>
          ))
        ) : (
          <Documents documents={documents} />
        )}
      </div>
    </Layout>
  );
}

function Documents({ documents }: Pick<SectionPageProps, 'documents'>) {
  return (
    <ul class="grid">
      {documents.map(({ path, title, description, updatedAt }) => (
        <li>
          <a class="card" href={path}>
            <strong>
              {title.replace(/^How to /, '').replace(/^./, (first) => first.toUpperCase())}
            </strong>
            <span class="small soft">{description}</span>
            <span class="fine soft stamp">
              <Day at={updatedAt} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
