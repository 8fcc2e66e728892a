/** /status: the state of each part of the service, and its last 24 hours. */
import { VERSION } from '../catalogue/version.ts';
import type { State } from '../core/health.ts';
import { Layout } from './design/layout.tsx';
import { Table } from './design/table.tsx';
import type { Site } from './site.ts';
import { HOURS, type PartStatus } from './status.ts';

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
      description="The health of each part of the service in the last 24 hours, and its version."
    >
      <div class="stack loose prose">
        <div class="stack tight">
          <h1>Status</h1>
          <p class="lead">{summary(parts)}</p>
        </div>
        {parts.length > 0 && (
          <Table label="Parts" columns={['Part', 'State', 'Last 24 hours']}>
            {parts.map((part) => (
              <PartRow {...part} />
            ))}
          </Table>
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

function PartRow({ name, state, hours }: PartStatus) {
  const { word, look } = STATES[state];
  return (
    <tr>
      <td>{name}</td>
      <td>
        <span class={`chip ${look}`.trim()}>{word}</span>
      </td>
      <td class="soft">
        <svg class="hours" viewBox={`0 0 ${HOURS * 4} 10`} aria-hidden="true">
          {hours.map((hour, index) => (
            <rect class={hour ? STATES[hour].look : ''} x={index * 4 + 0.5} width="3" height="10" />
          ))}
        </svg>
        {historyOf(hours)}
      </td>
    </tr>
  );
}

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
  if (troubles.length > 0) return troubles.join(', ');
  const up = count('ok');
  return up > 0 ? `no problem in ${inHours(up)}` : '';
}

const inHours = (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'}`;
