/** Renders a step on the chain page: its tool, its inputs from earlier steps, its parameters and its result. */
import { Icon } from '../design/icon.tsx';
import type { Site } from '../site.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';
import { feedsOf, stepFields } from './data-flow.ts';
import { type Misfit, misfitOf } from './misfit.ts';
import type { StepOutcome } from './run-steps.ts';
import { StepHints } from './step-hints.tsx';
import { StepOptions } from './step-options.tsx';
import { StepResult } from './step-result.tsx';
import { isUpload, prefixOf, type Step } from './steps.ts';
import { UploadField } from './upload-field.tsx';

interface StepCardProps {
  site: Site;
  steps: readonly Step[];
  index: number;
  outcome: StepOutcome | undefined;
  /** The template's description of the step. It is shown above the tool's title. */
  label: string | undefined;
  /** Whether the options are collapsed if none of them needs a value. */
  isFolded: boolean;
}

export function StepCard({ site, steps, index, outcome, label, isFolded }: StepCardProps) {
  const step = steps[index]!;
  const { tool } = step;
  const misfit = misfitOf(steps, index);
  const atField = stepFields(steps, index).some(({ name }) => name === outcome?.param);
  return (
    <li class="card step stack tight" data-step={index}>
      <input type="hidden" name={`step${index}`} value={tool.name} />
      <input type="hidden" name={`${prefixOf(index)}id`} value={step.id} />
      <div class="step-head">
        <span
          class="number"
          draggable={!isUpload(step)}
          title={isUpload(step) ? undefined : 'Drag to another position'}
          data-drag={isUpload(step) ? undefined : ''}
        >
          {index + 1}
        </span>
        <ToolIcon tool={tool} />
        <h2>
          {label ?? tool.title}
          {label && <span class="fine soft">{tool.title}</span>}
        </h2>
        <div class="moves">
          <Move
            what={`up ${index}`}
            icon="arrow-up"
            disabled={index === 0 || isUpload(step) || isUpload(steps[index - 1])}
          >
            Move step {index + 1}, {tool.title}, up
          </Move>
          <Move
            what={`down ${index}`}
            icon="arrow-down"
            disabled={index === steps.length - 1 || isUpload(step)}
          >
            Move step {index + 1}, {tool.title}, down
          </Move>
          <Move what={`remove ${index}`} icon="x">
            Remove step {index + 1}, {tool.title}
          </Move>
        </div>
      </div>
      <Feeds steps={steps} index={index} misfit={misfit} />
      <StepHints steps={steps} index={index} misfit={misfit} />
      <div class="stack tight">
        {isUpload(step) && <UploadField steps={steps} error={outcome?.message} />}
        {!isUpload(step) && (
          <StepOptions steps={steps} index={index} outcome={outcome} isFolded={isFolded} />
        )}
        {outcome && !isUpload(step) && (
          <StepResult
            site={site}
            steps={steps}
            index={index}
            outcome={outcome}
            isPlaced={atField || misfit !== undefined}
          />
        )}
      </div>
    </li>
  );
}

interface FeedsProps extends Pick<StepCardProps, 'steps' | 'index'> {
  misfit: Misfit | undefined;
}

/** Lists the values that earlier steps provide. The list is updated while the visitor types. */
function Feeds({ steps, index, misfit }: FeedsProps) {
  const feeds = feedsOf(steps, index);
  if (index === 0) return <p class="feeds" hidden />;
  return (
    <p class="feeds cluster small">
      {misfit ? null : feeds.length === 0 ? (
        <span class="soft">This step does not use the result of step {index}.</span>
      ) : (
        feeds.map(({ from, to }) => <span class="chip accent">{to ? `${to}: ${from}` : from}</span>)
      )}
    </p>
  );
}

interface MoveProps {
  what: string;
  icon: string;
  disabled?: boolean;
  children: unknown;
}

const Move = ({ what, icon, disabled, children }: MoveProps) => (
  <button type="submit" name="do" value={what} disabled={disabled}>
    <Icon name={icon} size={18} />
    <span class="hidden">{children as string}</span>
  </button>
);
