/** Renders the page of a tool: its form, its result, its guide, its limits, and the reference for developers. */

import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { isExecutable } from '../../catalogue/catalogue.ts';
import type { Tool } from '../../core/define-tool.ts';
import { isChainable } from '../../execute/chain-steps.ts';
import type { MissingComponent } from '../../execute/missing-component.ts';
import { asset, staysInBrowser } from '../assets.ts';
import { PANELS } from '../browser-tools/panels.ts';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import { CallList } from './call-list.tsx';
import { callShape, callsOf, type Sent } from './calls.ts';
import type { ToolDocument } from './documents.ts';
import { pageFieldsOf } from './fields.ts';
import { Limits } from './limits.tsx';
import { MissingPart } from './missing-part.tsx';
import { ResultCard } from './result-card.tsx';
import { type Entered, ToolForm } from './tool-form.tsx';
import { ToolIcon } from './tool-icon.tsx';
import { warningsIn } from './warning-text.ts';

/** The minimum number of lines of a tall field. */
const TALL = 6;

interface ToolPageProps {
  site: Site;
  tool: Tool;
  document: ToolDocument;
  entered?: Entered;
  /** The component that the tool needs but the service lacks. */
  missing?: MissingComponent | undefined;
  /** The values that the visitor sent with the form. */
  sent?: Sent;
  /** The result of a form that was posted without scripts. */
  result?: Child;
  /** The header with the warnings of the response to the form. */
  warnings?: string;
  /** The remaining quota, if known. */
  left?: string;
}

export function ToolPage(props: ToolPageProps) {
  const { site, tool, document, sent, missing } = props;
  const { summary } = document;
  const isApi = isExecutable(tool);
  const isInBrowser = staysInBrowser(tool);
  const Panel = PANELS[tool.name];
  return (
    <Layout
      site={site}
      title={`${tool.title} · ${site.serviceName}`}
      description={summary}
      scripts={[Panel ? `${tool.name.replaceAll('_', '-')}.js` : 'tool-form.js']}
    >
      <div class="stack tight tool-head">
        <h1>
          <ToolIcon tool={tool} />
          {tool.title}
        </h1>
        <p class="lead">{summary}</p>
        {isInBrowser && <BrowserBadge isExecutable={isApi} />}
        {tool.access === 'account' && (
          <p class="small">
            <span class="chip accent">Account</span> This tool needs an account:{' '}
            <a href="/developers">sign in first</a>.
          </p>
        )}
      </div>
      {missing && <MissingPart kind={missing} />}
      {Panel ? <Panel tool={tool} /> : <Workbench {...props} />}
      <div class="below">
        <section class="prose guide" aria-labelledby="guide">
          <h2 id="guide">How to use it</h2>
          {raw(document.guide)}
        </section>
        <aside class="stack loose">
          <Limits site={site} tool={tool} isInBrowser={isInBrowser} />
          <Next tool={tool} howTos={document.howTos} />
        </aside>
      </div>
      <ForDevelopers site={site} tool={tool} reference={document.reference} sent={sent} />
    </Layout>
  );
}

/** Renders links to a chain with this tool and to the how-tos that use it. */
function Next({ tool, howTos }: { tool: Tool } & Pick<ToolDocument, 'howTos'>) {
  const isStep = isChainable(tool);
  if (!isStep && howTos.length === 0) return null;
  return (
    <section class="stack tight" aria-labelledby="next">
      <h2 id="next">Do more with this tool</h2>
      <ul class="stack tight small">
        {howTos.map(({ path, title }) => (
          <li>
            <a href={path}>{title}</a>
          </li>
        ))}
        {isStep && (
          <li>
            <a href={`/chains?add=${tool.name}`}>Combine it with other tools in a chain</a>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Renders the call as code, and the tool's document. Both are collapsed, because most visitors use only the page. */
function ForDevelopers({
  site,
  tool,
  reference,
  sent,
}: Pick<ToolPageProps, 'site' | 'tool' | 'sent'> & Pick<ToolDocument, 'reference'>) {
  const isApi = isExecutable(tool);
  return (
    <details class="card reference-fold">
      <summary>
        For developers
        <span class="soft">{isApi ? 'API example, parameters, errors' : 'Details and errors'}</span>
      </summary>
      <div class="stack loose">
        {isApi && (
          <section
            class="stack"
            aria-labelledby="code"
            id="calls"
            data-script={asset('shown-calls.js')}
            data-call={JSON.stringify(callShape(tool, site.baseUrl))}
            data-files={JSON.stringify(tool.example?.files ?? [])}
          >
            <h2 id="code">Run this from code</h2>
            <CallList calls={callsOf(tool, site.baseUrl, sent)} />
            <p class="small">
              <a href={`/docs/api/${tool.name}`}>{tool.name} in the API reference</a>
            </p>
          </section>
        )}
        <section class="prose" aria-labelledby="about">
          <h2 id="about">About {tool.name}</h2>
          {raw(reference)}
        </section>
      </div>
    </details>
  );
}

/** Renders the form of the tool and its result. */
function Workbench({ site, tool, entered, missing, result, warnings, left }: ToolPageProps) {
  // A form with several long text fields shows them side by side.
  const isTall = pageFieldsOf(tool).filter(({ rows }) => rows >= TALL).length > 1;
  return (
    <div class={isTall ? 'workbench tall' : 'workbench'}>
      <ToolForm
        tool={tool}
        entered={entered}
        left={left}
        isLimited={site.isLimited}
        isOff={missing !== undefined}
      />
      <ResultCard tool={tool} isOff={missing !== undefined}>
        {warnings && (
          <ul class="notice warn small">
            {warningsIn(warnings).map((warning) => (
              <li>{warning}</li>
            ))}
          </ul>
        )}
        {result}
      </ResultCard>
    </div>
  );
}

function BrowserBadge({ isExecutable }: { isExecutable: boolean }) {
  return (
    <>
      <p class="small scripted">
        <span class="chip good">In your browser</span>{' '}
        <span class="soft">What you enter here is not sent anywhere.</span>
      </p>
      <noscript>
        <p class="notice warn">
          {isExecutable
            ? 'JavaScript is disabled, so this form is sent to the service.'
            : 'This tool runs in the browser and needs JavaScript, which is disabled.'}
        </p>
      </noscript>
    </>
  );
}
