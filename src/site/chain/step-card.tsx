/** A step on the chain's page: its tool, what feeds it, its parameters, its result. */
import type { Site } from '../site.ts';
import { ParameterField } from '../tool/parameter-field.tsx';
import { JsonResult } from '../tool/results/json-result.tsx';
import type { StepOutcome } from './run-steps.ts';
import { feedsOf, givenBy, prefixOf, type Step, stepFields } from './steps.ts';

interface StepCardProps {
  site: Site;
  steps: readonly Step[];
  index: number;
  outcome: StepOutcome | undefined;
}

export function StepCard({ site, steps, index, outcome }: StepCardProps) {
  const step = steps[index]!;
  const { tool, values } = step;
  const prefix = prefixOf(index);
  const fields = stepFields(steps, index);
  const atField = fields.some(({ name }) => name === outcome?.param);
  const link = fields.find(({ name }) => /^fileUrls?$/.test(name));
  return (
    <li class="card step stack" data-step={index}>
      <input type="hidden" name={`step${index}`} value={tool.name} />
      <div class="step-head">
        <span class="number" draggable title="Drag to another position" data-drag>
          {index + 1}
        </span>
        <h2>{tool.title}</h2>
        <div class="moves">
          <Move what={`up ${index}`} glyph="↑" disabled={index === 0}>
            Move step {index + 1}, {tool.title}, up
          </Move>
          <Move what={`down ${index}`} glyph="↓" disabled={index === steps.length - 1}>
            Move step {index + 1}, {tool.title}, down
          </Move>
          <Move what={`remove ${index}`} glyph="✕">
            Remove step {index + 1}, {tool.title}
          </Move>
        </div>
      </div>
      <Feeds steps={steps} index={index} />
      <div class={outcome?.status === 'succeeded' ? 'workbench' : 'stack'}>
        <div class="fields">
          {fields.map((field) => (
            <ParameterField
              field={field}
              prefix={prefix}
              value={values[field.name]}
              error={outcome?.param === field.name ? outcome.message : undefined}
            />
          ))}
          {link && (
            <div class="field">
              <label for={`${prefix}upload`}>
                Or upload {link.type === 'lines' ? 'files' : 'one'}
              </label>
              <input
                type="file"
                id={`${prefix}upload`}
                name={`${prefix}upload`}
                multiple={link.type === 'lines'}
                data-upload={`${prefix}p-${link.name}`}
              />
              <span class="hint">
                Uploads the file, which is stored for 7 days, and inserts its link. Anyone with the
                link can open it.
              </span>
            </div>
          )}
          {fields.length === 0 && <p class="soft small">This tool has no parameters.</p>}
        </div>
        {outcome && <Result site={site} step={step} outcome={outcome} isPlaced={atField} />}
      </div>
      <p class="fine soft">
        Gives{' '}
        {givenBy(step).map((name, at) => (
          <>
            {at > 0 && ', '}
            <code>{name}</code>
          </>
        ))}
        {index < steps.length - 1 && (
          <>
            ; any later step can use it as{' '}
            <code>{`{{steps.${index}.result.${givenBy(step)[0]}}}`}</code>
          </>
        )}
      </p>
    </li>
  );
}

/** The values that earlier steps provide; updated while the visitor types. */
function Feeds({ steps, index }: { steps: readonly Step[]; index: number }) {
  const feeds = feedsOf(steps, index);
  if (index === 0) return <p class="feeds" hidden />;
  return (
    <p class="feeds small">
      {feeds.length === 0 ? (
        <span class="soft">No earlier result is used here.</span>
      ) : (
        feeds.map(({ from, to }) => (
          <span class="chip accent">
            {from} → {to}
          </span>
        ))
      )}
    </p>
  );
}

interface MoveProps {
  what: string;
  glyph: string;
  disabled?: boolean;
  children: unknown;
}

const Move = ({ what, glyph, disabled, children }: MoveProps) => (
  <button type="submit" name="do" value={what} disabled={disabled}>
    <span aria-hidden="true">{glyph}</span>
    <span class="hidden">{children as string}</span>
  </button>
);

interface ResultProps {
  site: Site;
  step: Step;
  outcome: StepOutcome;
  /** Whether the message is shown at its field. */
  isPlaced: boolean;
}

const STATES = { succeeded: 'chip good', failed: 'chip bad', skipped: 'chip' };

function Result({ site, step, outcome, isPlaced }: ResultProps) {
  const { status, result, durationMs, message, warnings } = outcome;
  return (
    <section class="output" aria-label={`Result of ${step.tool.title}`} tabindex={-1}>
      <p class="cluster">
        <span class={STATES[status]}>{status}</span>
        {status === 'succeeded' && <span class="fine soft">{durationMs} ms</span>}
      </p>
      {warnings.map((warning) => (
        <p class="notice warn small">{warning}</p>
      ))}
      {message && !isPlaced && <p class="notice bad">{message}</p>}
      {result && <JsonResult tool={step.tool} value={result} site={site} />}
    </section>
  );
}
