/** The card of a tool's result: waiting, running or done, which client/parts/tool-result.ts switches. */
import type { Child } from 'hono/jsx';
import type { Tool } from '../../core/define-tool.ts';
import { findAsset, toolScript } from '../assets.ts';
import { exampleImageOf, HOW_TO_IMAGE } from '../content/how-to-images.ts';
import { takersOf } from './takers.ts';

interface ResultCardProps {
  tool: Tool;
  /** Whether the page itself produces the result, so that the card offers nothing that uploads it. */
  isHere?: boolean;
  /** The result of a posted form. */
  children?: Child;
}

export function ResultCard({ tool, isHere = false, children }: ResultCardProps) {
  const isDone = [children].flat().some(Boolean);
  return (
    <section
      id="result"
      class="card stack result"
      aria-labelledby="result-title"
      data-state={isDone ? 'done' : undefined}
      data-takers={JSON.stringify(takersOf(tool))}
      data-here={isHere ? '' : undefined}
    >
      <h2 id="result-title" class="hidden" tabindex={-1}>
        Result
      </h2>
      <p class="hidden" role="status" data-status />
      <div class="waiting">
        <p>The result appears here.</p>
        <button type="button" data-sample data-js hidden>
          Try it with a sample
        </button>
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
      <div class="output stack">{children}</div>
    </section>
  );
}

/** An image of a result, or of a tool that runs in its page the result itself, which client/tool-form.ts fills in. */
function ExampleResult({ tool }: { tool: Tool }) {
  const image = tool.files && findAsset(`${exampleImageOf(tool)}.webp`);
  const isMade = toolScript(tool) !== undefined && tool.annotations.idempotent;
  if (!image && !isMade) return null;
  const [input, ...others] = Object.values(tool.example?.parameters ?? {});
  // Several parameters do not fit into a line.
  const of = image || others.length > 0 ? '' : `: ${input}`;
  return (
    <figure class={image ? 'example' : 'example scripted'} inert={!image}>
      <figcaption class="fine">Example{of}</figcaption>
      {image ? (
        <img src={image} alt="" loading="lazy" {...HOW_TO_IMAGE} />
      ) : (
        <div class="stack" data-example-result />
      )}
    </figure>
  );
}
