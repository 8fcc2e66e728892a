/** Renders the result of the last step, with links to the files that it refers to. */
import { sizeText } from '../../core/size-text.ts';
import { isLinkUsed } from './data-flow.ts';
import type { ChainOutcome } from './run-steps.ts';
import { RESULT, type StepsProps, Whole } from './step-result.tsx';

/** Renders nothing unless the chain succeeded. */
export function LastResult({ site, steps, outcome }: StepsProps & { outcome: ChainOutcome }) {
  const index = steps.length - 1;
  const { result } = outcome.steps[index] ?? {};
  if (!result) return null;
  const isCode = steps[index]!.tool.name === 'generate_qr_code';
  return (
    <section id={RESULT} class="card stack" aria-labelledby="result-title" tabindex={-1}>
      <h2 id="result-title">Result</h2>
      <LinkedFiles steps={steps} outcome={outcome} isCode={isCode} />
      <Whole site={site} steps={steps} index={index} result={result} />
    </section>
  );
}

interface LinkedFilesProps extends Pick<StepsProps, 'steps'> {
  outcome: ChainOutcome;
  isCode: boolean;
}

/** Lists the files that the result refers to, and how long they are stored. */
const LinkedFiles = ({ steps, outcome, isCode }: LinkedFilesProps) =>
  steps.map((_, at) => {
    const { url, filename, size } = outcome.steps[at]?.result ?? {};
    if (typeof url !== 'string' || typeof filename !== 'string' || !isLinkUsed(steps, at))
      return null;
    return (
      <p class="notice">
        {isCode ? 'Scan the code to open ' : 'The result contains the link to '}
        <a href={`${url}?download`}>{filename}</a>
        {typeof size === 'number' && ` (${sizeText(size)})`}. The file is stored for 24 hours, and
        anyone with its link can open it until then.
      </p>
    );
  });
