/** The page of a tool: its form, its result, the call as code, its limits, its document. */

import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { isExecutable } from '../../catalogue/catalogue.ts';
import type { Tool } from '../../core/define-tool.ts';
import { isChainable } from '../../execute/chain-steps.ts';
import { toolScript } from '../assets.ts';
import { PANELS } from '../browser-tools/panels.ts';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import { CallList } from './call-list.tsx';
import { callShape, callsOf, type Sent } from './calls.ts';
import type { ToolDocument } from './documents.ts';
import { fieldsOf } from './fields.ts';
import { Limits } from './limits.tsx';
import { ResultCard } from './result-card.tsx';
import { type Entered, ToolForm } from './tool-form.tsx';
import { ToolIcon } from './tool-icon.tsx';

/** The number of lines of a tall field. */
const TALL = 10;

interface ToolPageProps {
  site: Site;
  tool: Tool;
  document: ToolDocument;
  entered?: Entered;
  /** The values that the form sent. */
  sent?: Sent;
  /** The result of a posted form. */
  result?: Child;
  /** The warnings of its response. */
  warnings?: string;
  /** The remaining quota, if known. */
  left?: string;
}

export function ToolPage(props: ToolPageProps) {
  const { site, tool, document, sent } = props;
  const { summary, html } = document;
  const isApi = isExecutable(tool);
  const isHere = toolScript(tool) !== undefined || !isApi;
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
        {isHere && <HereBadge isExecutable={isApi} />}
        {tool.access === 'account' && (
          <p class="small">
            <span class="chip accent">Account</span> This tool needs an account:{' '}
            <a href="/developers">sign in first</a>.
          </p>
        )}
      </div>
      {Panel ? <Panel tool={tool} /> : <Workbench {...props} />}
      <div class="below">
        <div class="stack looser">
          {isApi && (
            <section
              class="stack"
              aria-labelledby="code"
              id="calls"
              data-call={JSON.stringify(callShape(tool, site.baseUrl))}
              data-files={JSON.stringify(tool.example?.files ?? [])}
            >
              <h2 id="code">Run this from code</h2>
              <CallList calls={callsOf(tool, site.baseUrl, sent)} />
              {isChainable(tool) && (
                <p class="small">
                  <a href={`/chains?add=${tool.name}`}>Use in a chain</a>
                </p>
              )}
            </section>
          )}
          <section class="prose" aria-labelledby="about">
            <h2 id="about">About {tool.name}</h2>
            {raw(html)}
          </section>
        </div>
        {isApi && (
          <aside>
            <Limits tool={tool} />
          </aside>
        )}
      </div>
    </Layout>
  );
}

/** The form of the tool and its result. */
function Workbench({ tool, entered, result, warnings, left }: ToolPageProps) {
  // Shows two long texts side by side.
  const isTall = fieldsOf(tool).filter(({ rows }) => rows >= TALL).length > 1;
  return (
    <div class={isTall ? 'workbench tall' : 'workbench'}>
      <ToolForm tool={tool} entered={entered} left={left} />
      <ResultCard tool={tool}>
        {warnings && <p class="notice warn small">{warnings}</p>}
        {result}
      </ResultCard>
    </div>
  );
}

function HereBadge({ isExecutable }: { isExecutable: boolean }) {
  return (
    <>
      <p class="small scripted">
        <span class="chip good">In your browser</span>{' '}
        <span class="soft">Nothing you enter here is sent anywhere.</span>
      </p>
      <noscript>
        <p class="notice warn">
          {isExecutable
            ? 'Scripts are disabled, so this form is sent to the service.'
            : 'This tool runs in the browser and needs scripts, which are disabled.'}
        </p>
      </noscript>
    </>
  );
}
