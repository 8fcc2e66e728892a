/** A step on the chain's page: its tool, what feeds it, its parameters, its result. */
import type { Site } from '../site.ts';
import { ParameterField } from '../tool/parameter-field.tsx';
import { JsonResult } from '../tool/results/json-result.tsx';
import { feedsOf, givenBy, type Hop, hopFields, prefixOf } from './hops.ts';
import type { HopOutcome } from './run-hops.ts';

interface HopCardProps {
  site: Site;
  hops: readonly Hop[];
  index: number;
  outcome: HopOutcome | undefined;
}

export function HopCard({ site, hops, index, outcome }: HopCardProps) {
  const hop = hops[index]!;
  const { tool, values } = hop;
  const prefix = prefixOf(index);
  const fields = hopFields(hops, index);
  const atField = fields.some(({ name }) => name === outcome?.param);
  const link = fields.find(({ name }) => /^fileUrls?$/.test(name));
  return (
    <li class="card hop stack" data-hop={index}>
      <input type="hidden" name={`hop${index}`} value={tool.name} />
      <div class="hop-head">
        <span class="number" draggable title="Drag to another position" data-drag>
          {index + 1}
        </span>
        <h2>{tool.title}</h2>
        <div class="moves">
          <Move what={`up ${index}`} glyph="↑" disabled={index === 0}>
            Move step {index + 1}, {tool.title}, up
          </Move>
          <Move what={`down ${index}`} glyph="↓" disabled={index === hops.length - 1}>
            Move step {index + 1}, {tool.title}, down
          </Move>
          <Move what={`remove ${index}`} glyph="✕">
            Remove step {index + 1}, {tool.title}
          </Move>
        </div>
      </div>
      <Feeds hops={hops} index={index} />
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
                Stored for 7 days; the field gets its link. Anyone with the link can open it.
              </span>
            </div>
          )}
          {fields.length === 0 && <p class="soft small">This tool has no parameters.</p>}
        </div>
        {outcome && <Result site={site} hop={hop} outcome={outcome} isPlaced={atField} />}
      </div>
      <p class="fine soft">
        Gives{' '}
        {givenBy(hop).map((name, at) => (
          <>
            {at > 0 && ', '}
            <code>{name}</code>
          </>
        ))}
        {index < hops.length - 1 && (
          <>
            ; any later step can take it as{' '}
            <code>{`{{steps.${index}.result.${givenBy(hop)[0]}}}`}</code>
          </>
        )}
      </p>
    </li>
  );
}

/** The values that earlier steps provide; updated while one types. */
function Feeds({ hops, index }: { hops: readonly Hop[]; index: number }) {
  const feeds = feedsOf(hops, index);
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
  hop: Hop;
  outcome: HopOutcome;
  /** Whether the message is shown at its field. */
  isPlaced: boolean;
}

const STATES = { succeeded: 'chip good', failed: 'chip bad', skipped: 'chip' };

function Result({ site, hop, outcome, isPlaced }: ResultProps) {
  const { status, result, durationMs, message, warnings } = outcome;
  return (
    <section class="output" aria-label={`Result of ${hop.tool.title}`} tabindex={-1}>
      <p class="cluster">
        <span class={STATES[status]}>{status}</span>
        {status === 'succeeded' && <span class="fine soft">{durationMs} ms</span>}
      </p>
      {warnings.map((warning) => (
        <p class="notice warn small">{warning}</p>
      ))}
      {message && !isPlaced && <p class="notice bad">{message}</p>}
      {result && <JsonResult tool={hop.tool} value={result} site={site} />}
    </section>
  );
}
