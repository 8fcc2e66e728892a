/**
 * Tests that docs/grafana-dashboard.json and docs/observability.md name exactly the metrics, labels and columns that
 * exist. Also tests that the alerts in docs/operations.md name only such metrics, and cover every part of the service.
 */
/// <reference path="../vite-raw.d.ts" />
import { beforeAll, describe, expect, it } from 'vitest';
import dashboard from '../../docs/grafana-dashboard.json?raw';
import page from '../../docs/observability.md?raw';
import operations from '../../docs/operations.md?raw';
import type { CallEvent } from '../core/call-record.ts';
import type { Config } from '../core/config.ts';
import { BLOBS, CallMetrics, DOUBLES } from './call-sinks.ts';
import { partsOf } from './health-checks.ts';
import { serviceMetrics } from './service-metrics.ts';

interface Panel {
  title: string;
  targets: { expr: string; legendFormat: string }[];
}

const { panels } = JSON.parse(dashboard) as {
  panels: Panel[];
};
const targets = panels.flatMap(({ title, targets: all }) =>
  all.map(({ expr, legendFormat }) => [title, expr, legendFormat] as const),
);
/** Returns the labels of each series, keyed by the series name. */
const labels = new Map<string, Set<string>>();

beforeAll(async () => {
  const calls = new CallMetrics();
  calls.write({
    tool: 'merge_pdf',
    surface: 'rest',
    status: 500,
    code: 'internal',
    durationMs: 1,
    bytesIn: 1,
    bytesOut: 1,
    mediaWaitMs: 1,
    mediaRunMs: 1,
    provider: 'openai',
    caller: 'trial',
  } as CallEvent);
  const load = () => ({ running: 1, waiting: 1, idle: 1 });
  const metrics = await serviceMetrics({
    calls,
    startedAt: 0,
    refusals: new Map([['execution', 1]]),
    slots: { load: async () => load() },
    largeCalls: { load },
    media: [async () => Response.json({ queues: { pdf: { ...load(), concurrency: 2 } } })],
    health: {
      last: async () => ({ at: 0, parts: [{ name: 'files', state: 'ok', ms: 1 }] }),
    },
  });
  for (const { name, samples } of metrics) {
    for (const { suffix = '', labels: of = {} } of samples) {
      labels.set(
        name + suffix,
        new Set([...(labels.get(name + suffix) ?? []), ...Object.keys(of)]),
      );
    }
  }
});

describe.each(targets)('the panel “%s”', (_, expr, legend) => {
  it(`queries existing metrics: ${expr}`, () => {
    const names = expr.match(/\btools_\w+/g) ?? [];
    expect(names).not.toEqual([]);
    for (const name of names) {
      expect([...labels.keys()]).toContain(name);
      const used = [
        ...[...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list]) => list!.split(/, */)),
        ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label!),
        ...[...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
      ];
      for (const label of used)
        expect([name, [...labels.get(name)!]]).toContainEqual(expect.arrayContaining([label]));
    }
  });
});

describe('docs/observability.md', () => {
  it('lists every metric', () => {
    const names = [...labels.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    for (const name of new Set(names)) expect(page).toContain(`\`${name}\``);
    const known = new Set([...names, ...labels.keys(), 'tools_info', 'tools_calls']);
    expect((page.match(/\btools_\w+/g) ?? []).filter((name) => !known.has(name))).toEqual([]);
  });

  it('lists every column of Analytics Engine', () => {
    for (const [index, name] of BLOBS.entries())
      expect(page).toContain(`| \`blob${index + 1}\` | \`${name}\` |`);
    for (const [index, name] of DOUBLES.entries())
      expect(page).toContain(`| \`double${index + 1}\` | \`${name}\` |`);
  });
});

describe('the alerts in docs/operations.md', () => {
  const alerts = operations.slice(
    operations.indexOf('\n## Alerts'),
    operations.indexOf('\n## Capacity'),
  );

  it('use existing metrics', () => {
    const names = alerts.match(/\btools_\w+/g) ?? [];
    expect(names).toContain('tools_part_up');
    expect(names.filter((name) => !labels.has(name))).toEqual([]);
  });

  it('cover every part of the service', () => {
    const parts = partsOf(
      {} as Cloudflare.Env,
      { mediaUrls: [] } as unknown as Config,
      async () => Response.json({}),
      false,
    );
    const missing = parts.filter(({ name }) => !new RegExp(`part.+\\b${name}\\b`).test(alerts));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
