/** Renders the list of a section's documents. How-tos and comparisons are grouped, and posts are sorted by date. */
import type { ListedDocument } from '../../core/content.ts';
import { Day } from '../design/day.tsx';
import { Layout } from '../design/layout.tsx';
import { PageHead } from '../design/page-head.tsx';
import type { Site } from '../site.ts';
import { COMPARISON_GROUPS } from './comparison-groups.ts';
import { DocumentCards } from './document-cards.tsx';
import { HOW_TO_GROUPS } from './how-to-groups.ts';
import type { Shelf } from './shelves.ts';

interface SectionPageProps {
  site: Site;
  shelf: Shelf;
  documents: readonly ListedDocument[];
}

/** The sections that are grouped. All others are listed by date. */
const GROUPS: Partial<Record<Shelf['section'], typeof HOW_TO_GROUPS>> = {
  'How-to': HOW_TO_GROUPS,
  Comparisons: COMPARISON_GROUPS,
};

export function SectionPage({ site, shelf, documents }: SectionPageProps) {
  const groups = GROUPS[shelf.section]?.map(([heading, names]) => ({
    heading,
    listed: names.flatMap((name) =>
      documents.filter(({ path }) => path === `${shelf.path}/${name}`),
    ),
  }));
  return (
    <Layout site={site} title={`${shelf.title} · ${site.serviceName}`} description={shelf.summary}>
      <div class="page">
        <PageHead title={shelf.title} lead={shelf.summary} />
        {groups ? (
          groups.map(({ heading, listed }) => (
            <section>
              <h2>{heading}</h2>
              <DocumentCards documents={listed} />
            </section>
          ))
        ) : (
          <Posts documents={documents} />
        )}
      </div>
    </Layout>
  );
}

/** Lists posts with their dates, newest first. */
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
