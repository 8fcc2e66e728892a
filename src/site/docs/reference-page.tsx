/** /docs/api/…: an endpoint or a tool, its fields beside a call with its result. */
import type { ReferenceIndex, ReferencePage } from '../../core/reference.ts';
import { Facts } from '../design/facts.tsx';
import type { Site } from '../site.ts';
import { CodeSamples, Sample } from './code-samples.tsx';
import { Described } from './described.tsx';
import { DocsLayout } from './docs-layout.tsx';
import { FieldList } from './field-list.tsx';
import type { DocsLink } from './pages.ts';
import { RequestConsole } from './request-console.tsx';

interface ReferencePageProps {
  site: Site;
  pages: readonly DocsLink[];
  reference: ReferenceIndex;
  page: ReferencePage;
}

export function EndpointPage({ site, pages, reference, page }: ReferencePageProps) {
  const { id, title, group, method, path, text, isTool, groups, responses } = page;
  const headings = [...groups.map(({ title: name }) => name), 'Responses'];
  return (
    <DocsLayout
      site={site}
      pages={pages}
      reference={reference}
      title={title}
      summary={text[0] ?? title}
      headings={headings.map((name) => ({ id: idOf(name), name }))}
      scripts={['console.js']}
      intro={
        <>
          <p class="small">
            <a href="/docs/api">API reference</a> · {group}
          </p>
          <h1>{title}</h1>
          <p class="endpoint">
            <span class="chip accent">{method}</span> <code>{path}</code>
          </p>
        </>
      }
    >
      <div class="reference">
        <div class="stack loose">
          <div class="stack tight">
            {text.map((paragraph) => (
              <p>
                <Described text={paragraph} />
              </p>
            ))}
            {isTool && (
              <p>
                <a href={`/tools/${id}`}>Use it in the browser</a>
              </p>
            )}
          </div>
          {groups.map(({ title: name, fields }) => (
            <section class="stack tight" aria-labelledby={idOf(name)}>
              <h2 id={idOf(name)}>{name}</h2>
              <FieldList fields={fields} />
            </section>
          ))}
          <section class="stack tight" aria-labelledby={idOf('Responses')}>
            <h2 id={idOf('Responses')}>Responses</h2>
            <Facts
              facts={responses.map(({ status, description }) => [
                status,
                <Described text={description} />,
              ])}
            />
          </section>
        </div>
        <section class="example stack" aria-label="Example">
          <CodeSamples samples={page.calls} />
          {page.result && <Sample sample={page.result} />}
          <RequestConsole request={page.request} />
        </section>
      </div>
    </DocsLayout>
  );
}

const idOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');
