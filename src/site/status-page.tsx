/** /status: the state of each part of the service, its last 24 hours and its last 90 days. */
import { VERSION } from '../catalogue/version.ts';
import type { State } from '../core/health.ts';
import { HISTORY_DAYS } from '../core/health-history.ts';
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
        <div class="stack tight">
          <h1>Status</h1>
          <p class="lead">{summary(parts)}</p>
        </div>
        <ul class="parts stack">
          {parts.map((part) => (
            <PartHistory {...part} />
          ))}
        </ul>
        {parts.length > 0 && (
          <p class="soft small">
            Each bar is an hour or a day, the latest on the right. Green: no problem. Yellow: some
            checks failed. Red: down, on a day for more than an hour. Gray: not checked.
          </p>
        )}
        <p class="soft small">
          {checkedAt &&
            `Last checked at ${checkedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC. `}
          Version {VERSION}. For programs: <a href="/health">/health</a>.
        </p>
      </div>
    </Layout>
  );
}

function PartHistory({ name, state, hours, days, uptime }: PartStatus) {
  const { word, look } = STATES[state];
  return (
    <li class="card">
      <p class="cluster apart">
        <strong>{name}</strong>
        <span class={`chip ${look}`.trim()}>{word}</span>
      </p>
      <div>
        <Bars states={hours} />
        <p class="small soft">24 hours{historyOf(hours)}</p>
      </div>
      <div>
        <Bars states={days} />
        <p class="small soft">
          {HISTORY_DAYS} days{uptime === null ? '' : `: up in ${percent(uptime)} of the checks`}
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
      {states.map((state, index) => (
        <rect class={state ? STATES[state].look : ''} x={index * 4 + 0.5} width="3" height="10" />
      ))}
    </svg>
  );
}

/** Rounded down, so that 100 % means that nothing failed. */
const percent = (share: number) => `${Math.floor(share * 1e4) / 100} %`;

function summary(parts: readonly PartStatus[]): string {
  if (parts.length === 0) return 'The parts have not been checked yet. Checks run every 5 minutes.';
  const down = parts.filter(({ state }) => state === 'down').length;
  if (down > 0) return `${down === 1 ? 'One part is' : `${down} parts are`} down; the rest works.`;
  const degraded = parts.filter(({ state }) => state === 'degraded').length;
  return degraded > 0 ? 'Everything answers, but not everything works fully.' : 'Everything works.';
}

/** The bars in words. */
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
