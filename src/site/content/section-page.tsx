/** The documents of a section: how-tos are grouped by task, others sorted by date. */
import type { ListedDocument } from '../../core/content.ts';
import { Day } from '../design/day.tsx';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import { DocumentCards } from './document-cards.tsx';
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
              <DocumentCards documents={listed} />
            </section>
          ))
        ) : shelf.section === 'Blog' ? (
          <Posts documents={documents} />
        ) : (
          <DocumentCards documents={documents} />
        )}
      </div>
    </Layout>
  );
}

/** Posts with their dates, newest first. */
const Posts = ({ documents }: Pick<SectionPageProps, 'documents'>) => (
  <ul class="posts">
    {documents.map(({ path, title, description, publishedAt }) => (
      <li>
        <p class="small soft">
          <Day at={publishedAt} />
        </p>
        <div class="stack tight">
          <h2>
            <a href={path}>{title}</a>
          </h2>
          <p class="soft">{description}</p>
        </div>
      </li>
    ))}
  </ul>
);
