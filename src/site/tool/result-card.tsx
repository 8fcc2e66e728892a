/**
 * Renders the card of a tool's result. The card is waiting, running or done, and client/parts/tool-result.ts switches
 * the state.
 */
import type { Child } from 'hono/jsx';
import type { Tool } from '../../core/define-tool.ts';
import { asset, findAsset, toolScript } from '../assets.ts';
import { exampleImageOf, HOW_TO_IMAGE } from '../content/how-to-images.ts';
import { nextToolsOf } from './next-tools.ts';

interface ResultCardProps {
  tool: Tool;
  /** Whether the page itself produces the result. If so, the card offers no action that uploads it. */
  isInBrowser?: boolean;
  /** Whether the tool cannot run on this service. */
  isOff?: boolean;
  /** The result of a form that was posted without scripts. */
  children?: Child;
}

export function ResultCard({
  tool,
  isInBrowser = false,
  isOff = false,
  children,
}: ResultCardProps) {
  const isDone = [children].flat().some(Boolean);
  return (
    <section
      id="result"
      class="card stack result"
      aria-labelledby="result-title"
      data-state={isDone ? 'done' : undefined}
      data-next-tools={JSON.stringify(nextToolsOf(tool))}
      data-in-browser={isInBrowser ? '' : undefined}
      data-beside={tool.files && !isInBrowser ? asset('beside-original.js') : undefined}
    >
      <h2 id="result-title" class="hidden" tabindex={-1}>
        Result
      </h2>
      <p class="hidden" role="status" data-status />
      <div class="waiting">
        <p>{!isOff && 'The result appears here.'}</p>
        {!isOff && (
          <button type="button" data-sample data-js hidden>
            Try it with a sample
          </button>
        )}
        <ExampleResult tool={tool} />
      </div>
      <div class="running">
        <p>
          <span role="status" data-running>
            Working…
          </span>
          <span data-took />
        </p>
        <progress aria-label="Progress" max={1} />
      </div>
      <p class="notice warn small stale" role="status">
        The form has changed since this result was created.
      </p>
      <div class="output stack">{children}</div>
    </section>
  );
}

/**
 * Renders an example: an image of a result, the result in the tool's definition, or an empty box. client/tool-form.ts
 * runs the example and shows its result in the box.
 */
async function ExampleResult({ tool }: { tool: Tool }) {
  const { parameters = {}, result } = tool.example ?? {};
  const isMade = toolScript(tool) !== undefined && tool.annotations.idempotent;
  const image = tool.files || !isMade ? findAsset(`${exampleImageOf(tool)}.webp`) : undefined;
  if (!image && !isMade && !result) return null;
  const inputs = Object.values(parameters);
  // If there are several inputs, they are omitted, because they do not fit on one line.
  const of = image || inputs.length !== 1 ? '' : `: ${inputs[0]}`;
  return (
    <figure class={isMade && !image ? 'example scripted' : 'example'} inert={!image}>
      <figcaption class="fine">Example{of}</figcaption>
      {image ? (
        <img src={image} alt="" loading="lazy" {...HOW_TO_IMAGE} />
      ) : (
        <div class="stack" data-example-result={isMade ? '' : undefined}>
          {result && <GivenResult tool={tool} value={result} />}
        </div>
      )}
    </figure>
  );
}

/** The views are loaded on demand, because most pages do not show any. */
async function GivenResult({ tool, value }: { tool: Tool; value: Record<string, unknown> }) {
  const { JsonResult } = await import('./results/json-result.tsx');
  return <JsonResult tool={tool} value={value} site={{ storageUrl: '' }} />;
}
