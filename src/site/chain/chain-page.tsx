/** The page that builds a chain: its steps in order, run as one call that can be copied as code. */
import { SURFACES } from '../../access/surfaces.ts';
import { toolsByKind } from '../../catalogue/kinds.ts';
import { isChainable, MOST_STEPS } from '../../execute/chain-steps.ts';
import { Layout } from '../design/layout.tsx';
import { Message } from '../design/message.tsx';
import type { Site } from '../site.ts';
import { CallList } from '../tool/call-list.tsx';
import { chainCalls } from './chain-calls.ts';
import type { Outcome } from './run-steps.ts';
import { StepCard } from './step-card.tsx';
import type { Step } from './steps.ts';

interface ChainPageProps {
  site: Site;
  steps: readonly Step[];
  outcome?: Outcome;
  /** The result of a button, for screen readers. */
  said?: string;
}

export function ChainPage({ site, steps, outcome, said = '' }: ChainPageProps) {
  return (
    <Layout
      site={site}
      title={`Build a chain · ${site.serviceName}`}
      description="Run several tools in one call: order them, check the data flow, run the chain, copy the call."
      scripts={['chain.js']}
    >
      <div class="stack tight tool-head">
        <h1>Build a chain</h1>
        <p class="lead">
          Up to {MOST_STEPS} tools in one call. Each result fills the next step's empty parameters;{' '}
          <code>{'{{prev.name}}'}</code> inserts one of its fields into any text.{' '}
          <a href="/docs/chains">How chains work</a>
        </p>
      </div>
      <div id="chain" class="stack loose">
        <form
          id="chain-form"
          class="stack"
          method="post"
          action="/chains"
          enctype="multipart/form-data"
          novalidate
        >
          {/* Enter presses the first button. */}
          <button type="submit" class="hidden" name="do" value="run" tabindex={-1}>
            Run
          </button>
          <p class="notice bad" id="form-error" role="alert" hidden={!outcome?.message}>
            <Message text={outcome?.message ?? ''} />
          </p>
          {steps.length === 0 ? (
            <div class="card empty stack">
              <p class="soft">The chain is empty. Add a tool below, or start with an example.</p>
              <button type="submit" name="do" value="example">
                Fill in an example
              </button>
            </div>
          ) : (
            <ol class="steps">
              {steps.map((_, index) => (
                <StepCard site={site} steps={steps} index={index} outcome={outcome?.steps[index]} />
              ))}
            </ol>
          )}
          <p class="hidden" role="status" id="said">
            {said}
          </p>
          <Adder isFull={steps.length >= MOST_STEPS} />
          <div class="actions">
            <button type="submit" class="main" name="do" value="run" disabled={steps.length === 0}>
              Run the chain
            </button>
            <button type="button" data-cancel hidden>
              Cancel
            </button>
            <span class="small soft" id="working" role="status" />
          </div>
          <p class="fine soft">
            {SURFACES.chain.anonymous.calls} chains a {SURFACES.chain.anonymous.per}; each step
            counts as a run of its tool.
            {outcome?.left && <> Left: {outcome.left}.</>}
          </p>
        </form>
        <section class="stack" aria-labelledby="code" id="calls">
          {steps.length > 0 && (
            <>
              <h2 id="code">Run this from code</h2>
              <CallList calls={chainCalls(steps, site.baseUrl)} />
            </>
          )}
        </section>
      </div>
    </Layout>
  );
}

function Adder({ isFull }: { isFull: boolean }) {
  return (
    <div class="card adder">
      <div class="field">
        <label for="add">Add a step</label>
        <select id="add" name="add" disabled={isFull}>
          {toolsByKind().map(([kind, tools]) => {
            const chainable = tools.filter(isChainable);
            return (
              chainable.length > 0 && (
                <optgroup label={kind}>
                  {chainable.map(({ name, title }) => (
                    <option value={name}>{title}</option>
                  ))}
                </optgroup>
              )
            );
          })}
        </select>
        {isFull && <span class="hint">A chain has at most {MOST_STEPS} steps.</span>}
      </div>
      <button type="submit" name="do" value="add" disabled={isFull}>
        Add
      </button>
    </div>
  );
}
