import { describe, expect, it } from 'vitest';
import { UsagePlot } from './usage-plot.tsx';

const NOW = Date.UTC(2026, 10, 21, 12);
const day = (date: string, tool: string, calls: number) => ({
  day: date,
  tool,
  calls,
  refused: 0,
  tokens: 0,
});
const plotOf = (...days: ReturnType<typeof day>[]) => String(<UsagePlot days={days} now={NOW} />);

describe('the usage chart', () => {
  it('draws a bar for each day and tool, scaled to the busiest day', () => {
    const plot = plotOf(
      day('2026-11-20', 'merge_pdf', 10),
      day('2026-11-21', 'merge_pdf', 30),
      day('2026-11-21', 'format_json', 10),
    );
    const bars = [...plot.matchAll(/ y="([\d.]+)"[^>]*? height="([\d.]+)"[^>]*><title>([^<]+)/g)];
    expect(bars.map(([, y, height, title]) => [title, y, height])).toEqual([
      ['2026-11-20, merge_pdf: 10', '120.0', '40.0'],
      ['2026-11-21, merge_pdf: 30', '40.0', '120.0'],
      ['2026-11-21, format_json: 10', '0.0', '40.0'],
    ]);
    expect(plot).toContain('aria-label="Calls in 30 days: 50, at most 40 in one day"');
  });

  it('labels calls that reached no tool', () => {
    const plot = plotOf(day('2026-11-21', 'execution', 1));
    expect(plot).toContain('<title>2026-11-21, unknown tool: 1</title>');
    expect(plot).not.toContain('execution');
  });

  it('covers the last 30 days up to today', () => {
    const plot = plotOf(day('2026-11-21', 'a', 1));
    expect(plot).toContain('<span>2026-10-23</span><span>2026-11-21</span>');
  });

  it('gives the six busiest tools their own color and the others a shared one', () => {
    const plot = plotOf(
      ...Array.from({ length: 9 }, (_, index) => day('2026-11-21', `tool_${index}`, 9 - index)),
    );
    expect(new Set([...plot.matchAll(/fill="(#\w+)"/g)].map(([, color]) => color)).size).toBe(7);
    expect([...plot.matchAll(/swatch.*?<\/svg> ([^<]+)/g)].map(([, name]) => name)).toEqual([
      'tool_0',
      'tool_1',
      'tool_2',
      'tool_3',
      'tool_4',
      'tool_5',
      'other tools',
    ]);
    expect(plotOf(day('2026-11-21', 'a', 1))).not.toContain('other tools');
  });
});
