/** Renders hints about a step before it runs, some with a button that fixes the problem. */
import type { Child } from 'hono/jsx';
import type { Fix, Misfit } from './misfit.ts';
import { growsInPdf, isRepeated, linksToFile, takesImageAsText } from './step-cautions.ts';
import type { Step } from './steps.ts';

interface StepHintsProps {
  steps: readonly Step[];
  index: number;
  misfit: Misfit | undefined;
}

export const StepHints = ({ steps, index, misfit }: StepHintsProps) => (
  <div class="hints stack tight">
    {misfit && (
      <Hint look="bad" fix={misfit.fix}>
        {misfit.text}
      </Hint>
    )}
    {isRepeated(steps, index) && (
      <Hint fix={{ action: `remove ${index}`, label: `Remove step ${index + 1}` }}>
        This step repeats step {index}.
      </Hint>
    )}
    {growsInPdf(steps, index) && (
      <Hint fix={{ action: `set ${index - 1} format jpeg`, label: `Use JPEG in step ${index}` }}>
        A PDF cannot contain WebP or AVIF, so it stores these images losslessly, which makes photos
        larger.
      </Hint>
    )}
    {takesImageAsText(steps, index) && (
      <Hint>This step receives the image of step {index} as text (a data URL), not as a file.</Hint>
    )}
    {linksToFile(steps, index) && (
      <Hint>
        The short link never expires, but the file behind it does: an upload after 7 days, any other
        file after 24 hours.
      </Hint>
    )}
  </div>
);

interface HintProps {
  look?: 'warn' | 'bad';
  fix?: Fix;
  children: Child;
}

const Hint = ({ look = 'warn', fix, children }: HintProps) => (
  <div class="cluster">
    <p class={`notice ${look} small`}>{children}</p>
    {fix && (
      <button
        type="submit"
        class="small"
        name="do"
        value={fix.action}
        data-misfit={look === 'bad' ? '' : undefined}
      >
        {fix.label}
      </button>
    )}
  </div>
);
