/**
 * Renders the page that builds a chain. It shows the steps in order, runs them as one call, and shows that call as
 * code.
 */
import { GENERAL_LIMITS } from '../../access/general-limits.ts';
import { MAX_STEPS } from '../../execute/chain-steps.ts';
import { asset } from '../assets.ts';
import { CodeBlock } from '../design/code-block.tsx';
import { Layout } from '../design/layout.tsx';
import { Message } from '../design/message.tsx';
import { PageHead } from '../design/page-head.tsx';
import type { Site } from '../site.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';
import { Adder } from './adder.tsx';
import { costText } from './cost-text.ts';
import { isLinkUsed } from './data-flow.ts';
import { ForDevelopers } from './for-developers.tsx';
import { LastResult } from './last-result.tsx';
import { recipePath } from './recipe.ts';
import type { ChainOutcome } from './run-steps.ts';
import { StepCard } from './step-card.tsx';
import { isUpload, type Step, uploadedBy } from './steps.ts';
import { hasToolsOf, labelIn, TEMPLATES, type Template } from './templates.ts';

interface ChainPageProps {
  site: Site;
  steps: readonly Step[];
  /** The names of the tools that are switched off on this server. */
  off: ReadonlySet<string>;
  /** The template that the chain was created from. */
  template?: Template;
  /** Whether the chain was opened from a link. If so, steps after the first are collapsed unless they need a value. */
  isOpened?: boolean;
  outcome?: ChainOutcome;
  /** The text that describes the effect of the pressed button. */
  announcement?: string;
}

export function ChainPage({
  site,
  steps,
  off,
  template: given,
  isOpened = false,
  outcome,
  announcement = '',
}: ChainPageProps) {
  // A chain with different tools performs a different task, so the template's texts would be wrong.
  const template = given && hasToolsOf(given, steps) ? given : undefined;
  const title = template?.title ?? 'Build a chain';
  const sample = sampleOf(steps);
  const isDone = outcome?.steps[steps.length - 1]?.status === 'succeeded';
  return (
    <Layout
      site={site}
      title={`${title} · ${site.serviceName}`}
      description="Run several tools in one call: order them, check the data flow, run the chain, copy the call."
      scripts={['chain.js']}
      styles={['chain.css']}
    >
      <div
        id="chain"
        class="page"
        data-samples={asset('sample-files.js')}
        data-zip={asset('zip-results.js')}
      >
        <PageHead
          title={title}
          lead={
            template
              ? `This chain has ${steps.length} steps. Each step works on the previous result, and you can change every step.`
              : `A chain runs up to ${MAX_STEPS} tools. Each tool works on the previous result.`
          }
        >
          <p class="small cluster">
            {template && <a href="/chains">All templates</a>}
            <a href="/docs/chains">How chains work</a>
          </p>
        </PageHead>
        <form
          id="chain-form"
          class="stack"
          method="post"
          action="/chains"
          enctype="multipart/form-data"
          novalidate
          data-long={steps.some(({ tool }) => tool.isLong) ? '' : undefined}
          data-linked={steps.some((_, index) => isLinkUsed(steps, index)) ? '' : undefined}
        >
          {/* The page shows the template again when the visitor restores the template's tools. */}
          {given && <input type="hidden" name="template" value={given.name} />}
          {/* Enter submits a form with its first button, so the first button must be Run. */}
          <button type="submit" class="hidden" name="do" value="run" tabindex={-1}>
            Run
          </button>
          {steps.length > 0 && (
            <ol class="steps stack">
              {steps.map((step, index) => (
                <StepCard
                  site={site}
                  steps={steps}
                  index={index}
                  outcome={outcome?.steps[index]}
                  label={labelIn(template, step)}
                  isFolded={(isOpened && index > 0) || isDone}
                />
              ))}
            </ol>
          )}
          <p class="small soft" role="status" id="chain-status">
            {announcement}
          </p>
          <Adder steps={steps} off={off} />
          {steps.length === 0 && <div data-saved-chains />}
          {steps.length === 0 && <Templates off={off} />}
          <p
            class="notice bad"
            id="form-error"
            role="alert"
            tabindex={-1}
            hidden={!outcome?.message}
          >
            <Message text={outcome?.message ?? ''} />
          </p>
          <div class="actions" hidden={steps.length === 0}>
            <button type="submit" class="main" name="do" value="run">
              Run the chain
            </button>
            {sample && (
              <button type="button" data-sample={JSON.stringify(sample)} data-js hidden>
                Try a sample
              </button>
            )}
            <button type="button" data-cancel hidden>
              Cancel
            </button>
            <span class="small soft" id="working" role="status" />
          </div>
          {site.isLimited && (
            <p class="fine soft">
              <Cost steps={steps} />{' '}
              <span id="left" data-tool={steps.find((step) => !isUpload(step))?.tool.name}>
                {outcome?.quota}
              </span>
            </p>
          )}
        </form>
        {outcome && <LastResult site={site} steps={steps} outcome={outcome} />}
        {steps.length > 0 && <Keep site={site} path={recipePath(steps, template?.name)} />}
        {steps.length > 0 && <ForDevelopers site={site} steps={steps} />}
      </div>
    </Layout>
  );
}

/** Describes the cost of a run and the limits for visitors without an account. */
function Cost({ steps }: { steps: readonly Step[] }) {
  const counted = steps.filter((step) => !isUpload(step)).length;
  const { execution, chain } = GENERAL_LIMITS;
  return (
    <>
      <span id="cost" data-steps={counted}>
        {costText(counted)}
      </span>
      . Without an account, {execution.anonymous.calls} tool runs an {execution.anonymous.per} are
      free. The limit is {chain.anonymous.calls} chains a {chain.anonymous.per}.
    </>
  );
}

/** Returns the names of the sample files for the upload step, or undefined if the chain has files or needs none. */
function sampleOf([upload, next, ...later]: readonly Step[]): readonly string[] | undefined {
  if (!upload || !isUpload(upload) || uploadedBy(upload).length > 0) return undefined;
  const files = next?.tool.example?.files;
  // If a later step reads text from an image, the sample image contains text, which a photo would not.
  const text = later
    .flatMap(({ tool }) => tool.example?.files ?? [])
    .find((name) => PAGE.test(name));
  return text && files?.some((name) => IMAGE.test(name)) ? [text] : files;
}

const IMAGE = /\.(jpg|png)$/;
/** Matches the name of a sample image that shows a page of text. */
const PAGE = /^page\.(jpg|png)$/;

/** Renders the templates that can run on this server. */
const Templates = ({ off }: Pick<ChainPageProps, 'off'>) => (
  <section class="stack" aria-labelledby="templates">
    <h2 id="templates">Or start with one of these</h2>
    <ul class="grid templates">
      {TEMPLATES.filter(({ steps }) => !steps.some(({ tool }) => off.has(tool.name))).map(
        ({ name, title, steps }) => (
          <li class="card stack">
            <h3>
              <a href={`/chains?template=${name}`}>{title}</a>
            </h3>
            <ol>
              {steps.map(({ tool, label }) => (
                <li>
                  <ToolIcon tool={tool} />
                  <span class="small">{label}</span>
                </li>
              ))}
            </ol>
            <button type="button" class="small" data-try={name} data-js hidden>
              {isUpload(steps[0]) ? 'Try a sample' : 'Run it'}
              <span class="hidden">: {title}</span>
            </button>
          </li>
        ),
      )}
    </ul>
  </section>
);

/** Renders the controls that save the chain in the browser or share it as a link. */
function Keep({ site, path }: { site: Site; path: string | null }) {
  return (
    <section class="stack tight" aria-labelledby="keep">
      <h2 id="keep">Use it again</h2>
      <div class="keep cluster" data-js hidden>
        <div class="field">
          <label for="save-name">Save it in this browser as</label>
          <input id="save-name" autocomplete="off" maxlength={60} />
        </div>
        <button type="button" data-save-chain={path}>
          Save
        </button>
        <span class="small soft" role="status" id="saved-status" />
      </div>
      <div id="share" class="stack tight">
        {path ? (
          <>
            <CodeBlock code={site.baseUrl + path} what="the link to this chain" />
            <p class="fine soft">
              Anyone with this link sees the steps and what you entered in their fields, but not
              your files.
            </p>
          </>
        ) : (
          <p class="soft">This chain is too long for a link. Shorten the text in its fields.</p>
        )}
      </div>
    </section>
  );
}
