/** Writes metrics in the Prometheus text format, version 0.0.4. */

export interface Metric {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: readonly Sample[];
}

export interface Sample {
  /** The suffix of the metric's name: `_bucket`, `_sum` or `_count`. */
  suffix?: string;
  labels?: Record<string, string>;
  value: number;
}

const metric =
  (type: Metric['type']) =>
  (name: string, help: string, samples: readonly Sample[]): Metric => ({
    name,
    type,
    help,
    samples,
  });

export const counter = metric('counter');
export const gauge = metric('gauge');

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Returns the metrics as text. Metrics without samples are omitted. */
export const prometheusText = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ name, type, help, samples }) =>
        `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${samples
          .map(({ suffix = '', labels = {}, value }) => line(name + suffix, labels, value))
          .join('')}`,
    )
    .join('');

function line(name: string, labels: Record<string, string>, value: number): string {
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`,
  );
  return `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${number(value)}\n`;
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

function number(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
