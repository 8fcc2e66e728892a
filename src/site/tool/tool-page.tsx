/** The page of a tool: its form, its result, the same call as code, its limits, its document. */

import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Tool } from '../../core/define-tool.ts';
import { CodeBlock } from '../design/code-block.tsx';
import { Layout } from '../design/layout.tsx';
import { markdownHtml } from '../markdown.ts';
import type { Site } from '../site.ts';
import { callsOf } from './calls.ts';
import type { ToolDocument } from './documents.ts';
import { Limits } from './limits.tsx';
import { type Entered, ToolForm } from './tool-form.tsx';

interface ToolPageProps {
  site: Site;
  tool: Tool;
  document: ToolDocument;
  entered?: Entered;
  /** The result of a form that was posted. */
  result?: Child;
}

export function ToolPage({ site, tool, document, entered, result }: ToolPageProps) {
  const { summary, markdown } = document;
  const isTall = tool.name === 'compare_text';
  return (
    <Layout
      site={site}
      title={`${tool.title} · ${site.serviceName}`}
      description={summary}
      scripts={['tool-form.js']}
    >
      <div class="stack tight tool-head">
        <h1>{tool.title}</h1>
        <p class="lead">{summary}</p>
        {tool.access === 'account' && (
          <p class="small">
            <span class="chip accent">Account</span> This tool asks for an account:{' '}
            <a href="/developers">sign in first</a>.
          </p>
        )}
      </div>
      <div class={isTall ? 'workbench tall' : 'workbench'}>
        <ToolForm tool={tool} entered={entered} />
        <section
          id="result"
          class="card result"
          aria-labelledby="result-title"
          data-state={result ? 'done' : undefined}
        >
          <h2 id="result-title" class="hidden" tabindex={-1}>
            Result
          </h2>
          <div class="waiting">
            <p>The result appears here.</p>
          </div>
          <div class="running" role="status">
            <p data-running>Working…</p>
            <progress aria-label="Progress" />
          </div>
          <div class="output">{result}</div>
        </section>
      </div>
      <div class="below">
        <div class="stack looser">
          <section class="stack" aria-labelledby="code">
            <h2 id="code">The same from code</h2>
            <div class="accordion">
              {callsOf(tool, site.baseUrl).map(({ language, code, note }, index) => (
                <details name="call" open={index === 0}>
                  <summary>{language}</summary>
                  <div class="stack tight">
                    <CodeBlock code={code} what={`the call in ${language}`} />
                    {note && <p class="small soft">{note}</p>}
                  </div>
                </details>
              ))}
            </div>
          </section>
          <section class="prose" aria-labelledby="about">
            <h2 id="about">About {tool.name}</h2>
            {raw(markdownHtml(markdown, 1))}
          </section>
        </div>
        <aside>
          <Limits tool={tool} />
        </aside>
      </div>
    </Layout>
  );
}
