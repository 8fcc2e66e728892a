/** Renders the calls per day and tool as stacked bars. The table below contains the same data for screen readers. */
import { REPORTED_DAYS } from '../../access/usage-report.ts';
import { DAY_MS, periodOf } from '../../core/calendar.ts';
import type { DayUsage } from '../../core/usage-store.ts';
import { usageName } from './usage-name.ts';

const WIDTH = 600;
const HEIGHT = 160;
/** The Okabe–Ito palette, which color-blind people can distinguish. The most used tools get these colors. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'];
const OTHER = '#808080';

export function UsagePlot({ days, now }: { days: readonly DayUsage[]; now: number }) {
  const tools = busiestTools(days);
  const hasOthers = days.some(({ tool }) => !tools.includes(tool));
  const dates = Array.from(
    { length: REPORTED_DAYS },
    (_, index) => periodOf('day', now - (REPORTED_DAYS - 1 - index) * DAY_MS).name,
  );
  const totals = dates.map((date) => sum(days.filter(({ day }) => day === date)));
  const most = Math.max(1, ...totals);
  const all = sum(days).toLocaleString('en');
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`}
        role="img"
        aria-label={`Calls in ${REPORTED_DAYS} days: ${all}, at most ${most.toLocaleString('en')} in one day`}
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} stroke="currentColor" />
        {dates.map((date, index) => (
          <DayBar date={date} index={index} days={days} tools={tools} most={most} />
        ))}
      </svg>
      <figcaption>
        <p class="cluster apart fine soft">
          <span>{dates[0]}</span>
          <span>{dates.at(-1)}</span>
        </p>
        <p>
          {all} {all === '1' ? 'call' : 'calls'}, at most {most.toLocaleString('en')} in one day.
        </p>
        <ul class="cluster fine">
          {[...tools, ...(hasOthers ? ['other tools'] : [])].map((tool, index) => (
            <li>
              <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
                <rect width="1" height="1" fill={COLORS[index] ?? OTHER} />
              </svg>{' '}
              {usageName(tool)}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

interface DayBarProps {
  date: string;
  index: number;
  days: readonly DayUsage[];
  tools: readonly string[];
  most: number;
}

function DayBar({ date, index, days, tools, most }: DayBarProps) {
  const step = WIDTH / REPORTED_DAYS;
  const ofDay = days
    .filter(({ day }) => day === date)
    .sort((one, two) => rank(tools, one.tool) - rank(tools, two.tool));
  let top = HEIGHT;
  return (
    <g>
      {ofDay.map(({ tool, calls }) => {
        const height = (calls / most) * HEIGHT;
        top -= height;
        return (
          <rect
            x={(index * step + 2).toFixed(1)}
            y={top.toFixed(1)}
            width={(step - 4).toFixed(1)}
            height={height.toFixed(1)}
            fill={COLORS[tools.indexOf(tool)] ?? OTHER}
          >
            <title>{`${date}, ${usageName(tool)}: ${calls}`}</title>
          </rect>
        );
      })}
    </g>
  );
}

const sum = (days: readonly DayUsage[]) => days.reduce((total, { calls }) => total + calls, 0);

const rank = (tools: readonly string[], tool: string) =>
  tools.includes(tool) ? tools.indexOf(tool) : tools.length;

function busiestTools(days: readonly DayUsage[]): string[] {
  const calls = Map.groupBy(days, ({ tool }) => tool);
  return [...calls]
    .sort(([, one], [, two]) => sum(two) - sum(one))
    .slice(0, COLORS.length)
    .map(([tool]) => tool);
}
