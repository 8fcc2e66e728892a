/** Renders /docs/api, the list of all pages of the API reference. */
import type { ReferenceIndex } from '../../core/reference.ts';
import type { Site } from '../site.ts';
import { Described } from './described.tsx';
import { DocsLayout } from './docs-layout.tsx';
import type { GuideLink } from './pages.ts';

interface ReferenceIndexPageProps {
  site: Site;
  pages: readonly GuideLink[];
  reference: ReferenceIndex;
  /** The names of the tools that need a component that the service lacks. */
  off: ReadonlySet<string>;
}

export function ReferenceIndexPage({ site, pages, reference, off }: ReferenceIndexPageProps) {
  return (
    <DocsLayout
      site={site}
      pages={pages}
      reference={reference}
      title="API reference"
      summary="Every endpoint, and every tool that runs on the server: its fields, what they mean, and a call that works."
    >
      <div class="prose">
        <p>
          The API is at <code>{site.baseUrl}</code>.{' '}
          {site.requireSignIn
            ? "Every call needs an account's key"
            : 'Most calls need no key. A key raises your limits'}
          : send it as <code>Authorization: Bearer tsk_…</code>. Programs read the same reference as{' '}
          <a href="/api/v1/openapi.json">OpenAPI 3.1</a>.
        </p>
        <p>
          Each tool has its own endpoint, <code>POST /api/v1/tools/NAME</code>.{' '}
          <a href="/docs/api/executeTool">
            <code>POST /api/v1/tools/execute</code>
          </a>{' '}
          takes the name in the body instead, and returns the same.
        </p>
      </div>
      {reference.map(({ group, entries }) => (
        <section class="stack tight">
          <h2>{group}</h2>
          <ul class="entries">
            {entries.map(({ id, title, purpose, method, path }) => (
              // Links to the former single page of the reference, such as /docs/api#merge_pdf, point to this element.
              <li id={id}>
                <a href={`/docs/api/${id}`}>{title}</a>
                <code class="small soft">
                  {method} {path}
                </code>
                <p class="small">
                  {off.has(id) && <strong>Not set up on this server. </strong>}
                  <Described text={purpose} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DocsLayout>
  );
}
