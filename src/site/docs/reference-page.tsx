/** Renders /docs/api/…, the page of an endpoint or a tool. Its fields are next to an example call and the result. */
import type { ReferenceIndex, ReferencePage } from '../../core/reference.ts';
import type { MissingComponent } from '../../execute/missing-component.ts';
import { Facts } from '../design/facts.tsx';
import type { Site } from '../site.ts';
import { MissingPart } from '../tool/missing-part.tsx';
import { CodeSamples, Sample } from './code-samples.tsx';
import { Described } from './described.tsx';
import { DocsLayout } from './docs-layout.tsx';
import { FieldList } from './field-list.tsx';
import type { GuideLink } from './pages.ts';
import { RequestConsole } from './request-console.tsx';

interface ReferencePageProps {
  site: Site;
  pages: readonly GuideLink[];
  reference: ReferenceIndex;
  page: ReferencePage;
  /** The component that the tool needs but the service lacks. */
  missing: MissingComponent | undefined;
}

export function EndpointPage({ site, pages, reference, page, missing }: ReferencePageProps) {
  const { id, title, group, method, path, warning, text, isTool, groups, responses, error } = page;
  const sections = groups.filter(({ isFolded }) => !isFolded);
  const headings = [...sections.map(({ title: name }) => name), 'Responses'];
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
        <div class="stack">
          <RequestConsole request={page.request} />
          {missing && <MissingPart kind={missing} />}
          {warning && (
            <p class="notice">
              <strong>
                <Described text={warning} />
              </strong>
            </p>
          )}
          {text.map((paragraph) => (
            <p>
              <Described text={paragraph} />
            </p>
          ))}
          {isTool && (
            <p>
              <a class="button" href={`/tools/${id}`}>
                Use it in the browser
              </a>
            </p>
          )}
        </div>
        <section class="call stack" aria-label="Example">
          <CodeSamples samples={page.calls} />
          {page.results.map((sample) => (
            <Sample sample={sample} />
          ))}
        </section>
        <div class="stack loose">
          {sections.map(({ title: name, fields }) => (
            <section class="stack tight" aria-labelledby={idOf(name)}>
              <h2 id={idOf(name)}>{name}</h2>
              <FieldList fields={fields} areReturned={name.startsWith('Result')} />
              {name === 'Result as JSON' && <FoldedGroups groups={groups} />}
            </section>
          ))}
          <section class="stack tight" aria-labelledby={idOf('Responses')}>
            <h2 id={idOf('Responses')}>Responses</h2>
            <Statuses responses={responses.filter(isSuccess)} />
            <details>
              <summary class="small">Errors</summary>
              <Statuses responses={responses.filter((response) => !isSuccess(response))} />
            </details>
            {error && <Sample sample={error} />}
          </section>
        </div>
      </div>
      <Neighbors reference={reference} page={page} />
    </DocsLayout>
  );
}

/** Links to the other pages under the same heading, for screens without the list of all pages. */
function Neighbors({ reference, page }: Pick<ReferencePageProps, 'reference' | 'page'>) {
  const { entries } = reference.find(({ group }) => group === page.group)!;
  return (
    <nav class="neighbors stack tight" aria-label="Neighboring pages">
      <h2>{page.group}</h2>
      <ul class="cluster">
        {entries.map(({ id, title }) => (
          <li>
            <a href={`/docs/api/${id}`} aria-current={id === page.id ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const idOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');

/** Renders the collapsed groups of fields, which describe other variants of the result. */
const FoldedGroups = ({ groups }: Pick<ReferencePage, 'groups'>) => (
  <>
    {groups
      .filter(({ isFolded }) => isFolded)
      .map(({ title, fields }) => (
        <details>
          <summary class="small">
            <span>
              <Described text={title} />
            </span>
          </summary>
          <FieldList fields={fields} areReturned />
        </details>
      ))}
  </>
);

type Responses = ReferencePage['responses'];

const isSuccess = ({ status }: Responses[number]) => status < '300';

const Statuses = ({ responses }: { responses: Responses }) => (
  <Facts
    facts={responses.map((response) => [
      <code class={isSuccess(response) ? 'chip good' : 'chip'}>{response.status}</code>,
      <Described text={response.description} />,
    ])}
  />
);
