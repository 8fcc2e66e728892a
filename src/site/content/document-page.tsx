/** Renders the page of a document: the text, dates, topics and headings. Some how-tos have an image of their result. */
import { raw } from 'hono/html';
import type { ContentDocument } from '../../core/content.ts';
import { findTool } from '../../tools/find-tool.ts';
import { findAsset } from '../assets.ts';
import { Day } from '../design/day.tsx';
import { Layout } from '../design/layout.tsx';
import { headingsOf } from '../headings.ts';
import type { Site } from '../site.ts';
import { DocumentCards } from './document-cards.tsx';
import { HOW_TO_IMAGE, HOW_TO_IMAGES } from './how-to-images.ts';
import { withLimitsNote } from './limits-note.ts';
import { programsNote } from './programs-note.ts';
import type { Related } from './related.ts';
import type { Shelf } from './shelves.ts';

interface DocumentPageProps {
  site: Site;
  shelf: Shelf;
  document: ContentDocument;
  html: string;
  related: Related;
}

/** The heading of the section of a how-to that shows the task as a script. */
const SCRIPT = '<h2 id="from-a-script">From a script</h2>';
const SCRIPT_NOTE =
  '<p class="soft">The file names are examples. Replace them with yours. The output then differs.</p>';

export function DocumentPage({ site, shelf, document, html: written, related }: DocumentPageProps) {
  const { title, description, tags, publishedAt, updatedAt, path, section, markdown } = document;
  const programs = section === 'How-to' ? programsNote(markdown) : '';
  const text = withLimitsNote(written, site);
  const html = text.includes(SCRIPT)
    ? text.replace(SCRIPT, SCRIPT + SCRIPT_NOTE + programs)
    : programs + text;
  // The image of the result is placed after the steps for the browser, before this heading.
  const script = Math.max(html.indexOf(SCRIPT), 0);
  const isChanged = updatedAt.slice(0, 10) !== publishedAt.slice(0, 10);
  return (
    <Layout site={site} title={`${title} · ${site.serviceName}`} description={description}>
      <div class="reading">
        <article class="stack loose prose">
          <div class="stack tight">
            <p class="small">
              <a href={shelf.path}>{shelf.title}</a>
            </p>
            <h1>{title}</h1>
            <p class="lead">{description}</p>
            <p class="cluster fine soft">
              <span>
                <Day at={publishedAt} />
                {isChanged && (
                  <>
                    , updated <Day at={updatedAt} />
                  </>
                )}
              </span>
              {tags.map((tag) => (
                <span class="chip">{tag}</span>
              ))}
            </p>
          </div>
          <div class="prose">
            {raw(html.slice(0, script))}
            <ResultImage name={path.slice(shelf.path.length + 1)} />
            {raw(html.slice(script))}
          </div>
        </article>
        <nav class="contents" aria-label="On this page">
          <ul>
            {headingsOf(html).map(({ id, name }) => (
              <li>
                <a href={`#${id}`}>{raw(name)}</a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {related.documents.length > 0 && (
        <section class="stack related" aria-labelledby="related">
          <h2 id="related">More: {related.group ?? shelf.title}</h2>
          <DocumentCards documents={related.documents} />
        </section>
      )}
    </Layout>
  );
}

function ResultImage({ name }: { name: string }) {
  const path = findAsset(`${name}.webp`);
  if (!path || !(name in HOW_TO_IMAGES)) return null;
  const tool = findTool(HOW_TO_IMAGES[name as keyof typeof HOW_TO_IMAGES])!;
  return (
    <figure class="stack tight result-image">
      <img src={path} alt="" {...HOW_TO_IMAGE} />
      <figcaption class="small soft">
        The result of <a href={`/tools/${tool.name}`}>{tool.title}</a>
      </figcaption>
    </figure>
  );
}
