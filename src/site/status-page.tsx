/** /status: the state of each part of the service, its last 24 hours and its last 90 days. */
import { VERSION } from '../catalogue/version.ts';
import type { State } from '../core/health.ts';
import { HISTORY_DAYS } from '../core/health-history.ts';
import { Icon } from './design/icon.tsx';
import { Layout } from './design/layout.tsx';
import type { Site } from './site.ts';
import type { PartStatus } from './status.ts';

interface StatusPageProps {
  site: Site;
  parts: readonly PartStatus[];
  /** When the parts were last checked; undefined if that is more than a day ago. */
  checkedAt: Date | undefined;
}

const STATES: Record<State, { word: string; look: string }> = {
  ok: { word: 'Up', look: 'good' },
  degraded: { word: 'Degraded', look: 'warn' },
  down: { word: 'Down', look: 'bad' },
  unconfigured: { word: 'Off', look: '' },
  unchecked: { word: 'Starts on demand', look: '' },
};

export function StatusPage({ site, parts, checkedAt }: StatusPageProps) {
  return (
    <Layout
      site={site}
      title={`Status · ${site.serviceName}`}
      description="The health of each part in the last 24 hours and 90 days, and the version."
    >
      <div class="stack loose">
        <h1>Status</h1>
        <Summary parts={parts} checkedAt={checkedAt} />
        {parts.length > 0 && (
          <div class="stack tight">
            <ul class="parts card">
              {parts.map((part) => (
                <PartHistory {...part} />
              ))}
            </ul>
            <p class="soft fine">
              Each bar is an hour or a day, the latest on the right. Green: no problem. Yellow: some
              checks failed. Red: down, on a day for more than an hour. Gray: not checked.
            </p>
          </div>
        )}
        <p class="soft small">
          Version {VERSION}. For programs: <a href="/health">/health</a>. Something is wrong that
          you do not see here? <a href="/contact">Contact the operator</a>
        </p>
      </div>
    </Layout>
  );
}

function PartHistory({ name, state, hours, days, uptime }: PartStatus) {
  const { word, look } = STATES[state];
  const isChecked = uptime !== null && state !== 'unconfigured';
  return (
    <li>
      <p class="part">
        <strong>{name}</strong>
        <span class={`chip ${look}`.trim()}>{word}</span>
      </p>
      <div>
        <Bars states={hours} />
        <p class="fine soft">24 hours{historyOf(hours)}</p>
      </div>
      <div>
        <Bars states={days} />
        <p class="fine soft">
          {HISTORY_DAYS} days{isChecked ? `: up in ${percent(uptime)} of the checks` : ''}
        </p>
      </div>
    </li>
  );
}

function Bars({ states }: { states: PartStatus['hours'] }) {
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${states.length * 4} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {[...Map.groupBy(states.keys(), (index) => lookOf(states[index]!))].map(([look, indexes]) => (
        <path
          class={look || undefined}
          d={indexes.map((index) => `M${index * 4 + 0.5} 0h3v10h-3z`).join('')}
        />
      ))}
    </svg>
  );
}

const lookOf = (state: State | null) => (state ? STATES[state].look : '');

/** Rounded down, so that 100 % means that nothing failed. */
const percent = (share: number) => `${Math.floor(share * 1e4) / 100} %`;

interface Overall {
  icon: string;
  look: string;
  text: string;
}

function overall(parts: readonly PartStatus[]): Overall {
  const count = (state: State) => parts.filter((part) => part.state === state).length;
  const are = (number: number) => (number === 1 ? 'One part is' : `${number} parts are`);
  if (parts.length === 0) {
    const text = 'The parts have not been checked yet. Checks run every 5 minutes.';
    return { icon: 'clock', look: '', text };
  }
  if (count('down') > 0)
    return { icon: 'circle-x', look: 'bad', text: `${are(count('down'))} down. The rest works.` };
  if (count('degraded') > 0)
    return { icon: 'triangle-alert', look: 'warn', text: `${are(count('degraded'))} degraded.` };
  const text = count('unconfigured') > 0 ? 'Everything that is set up works.' : 'Everything works.';
  return { icon: 'circle-check', look: 'good', text };
}

function Summary({ parts, checkedAt }: Pick<StatusPageProps, 'parts' | 'checkedAt'>) {
  const { icon, look, text } = overall(parts);
  return (
    <p class={`overall ${look}`.trim()}>
      <Icon name={icon} size={28} />
      <strong>{text}</strong>
      {checkedAt && (
        <span class="small">
          Last checked at {checkedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC
        </span>
      )}
    </p>
  );
}

/** Describes the bars in words. */
function historyOf(hours: PartStatus['hours']): string {
  const count = (state: State) => hours.filter((hour) => hour === state).length;
  const troubles = (['down', 'degraded'] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${STATES[state].word.toLowerCase()} in ${inHours(count(state))}`);
  if (troubles.length > 0) return `: ${troubles.join(', ')}`;
  const up = count('ok');
  return up > 0 ? `: no problem in ${inHours(up)}` : '';
}

const inHours = (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'}`;
