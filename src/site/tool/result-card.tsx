/** The card of a tool's result: waiting, running or done, which client/parts/tool-result.ts switches. */
import type { Child } from 'hono/jsx';
import type { Tool } from '../../core/define-tool.ts';
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
