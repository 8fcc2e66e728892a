/** Renders /status, with the state of each part of the service, its last 24 hours and its last 90 days. */
import { VERSION } from '../catalogue/version.ts';
import type { PartState } from '../core/health.ts';
import { HISTORY_DAYS } from '../core/health-history.ts';
import { Day } from './design/day.tsx';
import { Icon } from './design/icon.tsx';
import { Layout } from './design/layout.tsx';
import { PageHead } from './design/page-head.tsx';
import type { Site } from './site.ts';
import type { PartStatus } from './status.ts';

interface StatusPageProps {
  site: Site;
  parts: readonly PartStatus[];
  /** The time of the last check. Undefined if there was none in the last 24 hours. */
  checkedAt: Date | undefined;
  /** The first day with a check in the last 90 days, as an ISO date. Undefined before the first check. */
  since: string | undefined;
  /** Whether the /contact page shows an address for the operator. */
  hasContact: boolean;
}

const STATES: Record<PartState, { word: string; look: string }> = {
  ok: { word: 'Works', look: 'good' },
  degraded: { word: 'Partly works', look: 'warn' },
  down: { word: 'Down', look: 'bad' },
  unconfigured: { word: 'Not set up here', look: '' },
  unchecked: { word: 'Starts on demand', look: '' },
};

export function StatusPage({ site, parts, checkedAt, since, hasContact }: StatusPageProps) {
  return (
    <Layout
      site={site}
      title={`Status · ${site.serviceName}`}
      description="What works now, and what worked in the last 24 hours and 90 days."
    >
      <div class="page">
        <PageHead
          title="Status"
          lead="What works now, and what worked in the last 24 hours and 90 days."
        />
        <Summary parts={parts} checkedAt={checkedAt} />
        {parts.length > 0 && (
          <section aria-labelledby="history">
            <div class="cluster apart">
              <h2 id="history">History</h2>
              <Legend />
            </div>
            {since && (
              <p class="soft small">
                Measured every 5 minutes since <Day at={since} />. Gray bars have no measurements.
              </p>
            )}
            <ul class="parts card">
              {parts.map((part) => (
                <PartHistory {...part} />
              ))}
            </ul>
          </section>
        )}
        <p class="soft small">
          Version {VERSION}. For programs: <a href="/health">/health</a>.
          {hasContact && (
            <>
              {' '}
              Do you see a problem that is not listed here?{' '}
              <a href="/contact">Contact the operator</a>
            </>
          )}
        </p>
      </div>
    </Layout>
  );
}

const LEGEND = [
  ['good', 'no problem'],
  ['warn', 'some checks failed'],
  ['bad', 'down (per day: over an hour)'],
  ['', 'not measured'],
] as const;

const Legend = () => (
  <ul class="legend cluster fine soft" aria-label="Colors of the bars">
    {LEGEND.map(([look, meaning]) => (
      <li>
        <i class={look || undefined} aria-hidden="true" />
        {meaning}
      </li>
    ))}
  </ul>
);

function PartHistory({ name, off, state, hours, days, measuredDays, checks, passed }: PartStatus) {
  const { word, look } = STATES[state];
  const isOff = state === 'unconfigured';
  return (
    <li>
      <p class="part">
        <strong>{name}</strong>
        <span class={`chip ${look}`.trim()}>{word}</span>
      </p>
      {isOff ? (
        <p class="soft small off">{off}</p>
      ) : (
        <>
          <div>
            <Bars states={hours} />
            <p class="fine soft">{historyOf(hours)}</p>
          </div>
          <div>
            <Bars states={days} />
            <p class="fine soft">
              {measuredText(measuredDays, HISTORY_DAYS, 'days')}
              {checks > 0 && `: ${passedText(passed, checks)}`}
            </p>
          </div>
        </>
      )}
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

const lookOf = (state: PartState | null) => (state ? STATES[state].look : '');

const measuredText = (measured: number, all: number, unit: string) =>
  measured === 0 ? `${all} ${unit}: not measured yet` : `${measured} of ${all} ${unit} measured`;

/**
 * The number of checks in a day. With fewer checks in total, the page shows no percentage, because it would suggest a
 * long history.
 */
const CHECKS_PER_DAY = 288;

/** The percentage is rounded down, so that 100 % means that no check found the part down. */
const passedText = (passed: number, checks: number) =>
  checks < CHECKS_PER_DAY
    ? `${passed} of ${counted(checks, 'check')} passed`
    : `${Math.floor((passed / checks) * 1e4) / 100} % of the checks passed`;

interface Overall {
  icon: string;
  look: string;
  text: string;
}

function overall(parts: readonly PartStatus[]): Overall {
  const count = (state: PartState) => parts.filter((part) => part.state === state).length;
  const are = (number: number) => (number === 1 ? 'One part is' : `${number} parts are`);
  if (parts.length === 0) {
    const text = 'The parts have not been checked yet. Checks run every 5 minutes.';
    return { icon: 'clock', look: '', text };
  }
  if (count('down') > 0)
    return {
      icon: 'circle-x',
      look: 'bad',
      text: `${are(count('down'))} down. The list below shows the state of each part.`,
    };
  if (count('degraded') > 0) {
    const text = `${are(count('degraded'))} working only partly.`;
    return { icon: 'triangle-alert', look: 'warn', text };
  }
  const text = count('unconfigured') > 0 ? 'All configured parts work.' : 'Everything works.';
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

/** Describes the bars of the last 24 hours in words. */
function historyOf(hours: PartStatus['hours']): string {
  const count = (state: PartState) => hours.filter((hour) => hour === state).length;
  const measured = hours.filter((hour) => hour !== null && hour !== 'unchecked').length;
  const text = measuredText(measured, hours.length, 'hours');
  if (measured === 0) return text;
  const troubles = (['down', 'degraded'] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${STATES[state].word.toLowerCase()} in ${counted(count(state), 'hour')}`);
  return `${text}: ${troubles.join(', ') || 'no problem'}`;
}

const counted = (count: number, unit: string) => `${count} ${count === 1 ? unit : `${unit}s`}`;
