/** Renders the result of a step in its card, as a thumbnail or an excerpt. The last result is shown below the steps. */

import { sizeText } from '../../core/size-text.ts';
import { TEXT_FIELDS } from '../../execute/feed.ts';
import type { Site } from '../site.ts';
import { nextToolsOf } from '../tool/next-tools.ts';
import { JsonResult } from '../tool/results/json-result.tsx';
import { isLinkUsed } from './data-flow.ts';
import type { StepOutcome } from './run-steps.ts';
import { growsInPdf } from './step-cautions.ts';
import type { Step } from './steps.ts';

/** The id of the section with the last result. */
export const RESULT = 'chain-result';
const EXCERPT_CHARACTERS = 200;

export interface StepsProps {
  site: Site;
  steps: readonly Step[];
}

interface StepResultProps extends StepsProps {
  index: number;
  outcome: StepOutcome;
  /** Whether the message is already shown beside its field. */
  isPlaced: boolean;
}

const STATES = {
  succeeded: { word: 'Done', look: 'chip good' },
  failed: { word: 'Failed', look: 'chip bad' },
  skipped: { word: 'Not run', look: 'chip' },
};

const secondsText = (ms: number): string =>
  ms < 100 ? 'less than 0.1 s' : `${(ms / 1000).toFixed(1)} s`;

export function StepResult({ site, steps, index, outcome, isPlaced }: StepResultProps) {
  const { status, result, durationMs, message, warnings } = outcome;
  const { tool } = steps[index]!;
  const isLast = index === steps.length - 1;
  return (
    <section
      class="output stack tight"
      aria-label={`Result of ${tool.title}`}
      tabindex={-1}
      data-title={tool.title}
    >
      <div class="cluster">
        <span class={STATES[status].look}>{STATES[status].word}</span>
        {durationMs !== undefined && status === 'succeeded' && (
          <span class="fine soft">in {secondsText(durationMs)}</span>
        )}
        {result && !isLast && <Preview result={result} index={index} />}
        {result && isLast && (
          <a class="small" href={`#${RESULT}`}>
            See the result
          </a>
        )}
        {result && !isLast && (
          <details>
            <summary class="small">Show this result</summary>
            <div class="stack">
              <Whole site={site} steps={steps} index={index} result={result} />
            </div>
          </details>
        )}
      </div>
      {warningsOf(steps, index, warnings).map((warning) => (
        <p class="notice warn small">{warning}</p>
      ))}
      {message && !isPlaced && <p class="notice bad">{message}</p>}
    </section>
  );
}

/** Returns the warnings, without those whose advice a later step already follows or a hint already gives. */
const warningsOf = (steps: readonly Step[], index: number, warnings: readonly string[]): string[] =>
  warnings.filter(
    (warning) =>
      !steps.slice(index + 1).some(({ tool }) => warning.includes(tool.name)) &&
      !(growsInPdf(steps, index) && warning.includes('JPEG')),
  );

type Result = NonNullable<StepOutcome['result']>;

interface StoredFacts {
  url?: string;
  dataUrl?: string;
  filename?: string;
  size?: number;
}

/** Renders a thumbnail, the size and a link that saves the file, or else an excerpt of the text, in one line. */
function Preview({ result, index }: { result: Result; index: number }) {
  const { url, dataUrl, filename, size } = result as StoredFacts;
  const image = dataUrl ?? (/\.(webp|png|jpe?g|avif|gif)$/i.test(url ?? '') ? url : undefined);
  if (image || filename !== undefined)
    return (
      <>
        <span
          class="brief-image"
          data-preview={index}
          data-pdf={/\.pdf$/.test(url ?? '') ? url : undefined}
        >
          {image && <img src={image} alt="" />}
        </span>
        {size !== undefined && <span class="small">{sizeText(size)}</span>}
        {filename !== undefined && (
          <a class="small" href={`${url}?download`} download={filename} data-brief={index}>
            Save {filename}
          </a>
        )}
      </>
    );
  const field = [...TEXT_FIELDS, 'shortUrl'].find((name) => typeof result[name] === 'string');
  const text = field === undefined ? '' : String(result[field]).slice(0, EXCERPT_CHARACTERS);
  return text && <p class="excerpt">{text}</p>;
}

/**
 * Renders a complete result. If no later step uses the file's link, the page's script reads the file and deletes it
 * from the service, so that the file is not public.
 */
export function Whole({
  site,
  steps,
  index,
  result,
}: StepsProps & { index: number; result: Result }) {
  const { tool } = steps[index]!;
  const isOwn = result.deleteToken !== undefined && !isLinkUsed(steps, index);
  return (
    <div
      class="stack"
      data-result={index}
      data-file={isOwn ? JSON.stringify(result) : undefined}
      data-next-tools={isOwn ? JSON.stringify(nextToolsOf(tool)) : undefined}
    >
      <JsonResult tool={tool} value={result} site={site} />
    </div>
  );
}
