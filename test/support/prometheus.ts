/** Parses the Prometheus text format 0.0.4 strictly, with the additional rules of `promtool check metrics`. */

export interface ParsedMetric {
  type: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const SAMPLE = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i;
const LABEL = /([a-z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/giy;
const SUFFIXES: Record<string, string[]> = { histogram: ['_bucket', '_sum', '_count'] };

/** Returns the metrics by name. Throws if the text breaks a rule. */
export function parsePrometheus(text: string): Map<string, ParsedMetric> {
  if (!text.endsWith('\n')) throw new Error('the text does not end with a newline');
  const metrics = new Map<string, ParsedMetric>();
  const seen = new Set<string>();
  let [name, current]: [string, ParsedMetric | undefined] = ['', undefined];
  let help = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, of = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      help = of;
    } else if (kind === 'TYPE') {
      if (of !== help) throw new Error(`TYPE of ${of} does not follow its HELP`);
      if (metrics.has(of)) throw new Error(`duplicate metric: ${of}`);
      if (!['counter', 'gauge', 'histogram'].includes(rest))
        throw new Error(`${of} has the unknown type ${rest}`);
      if ((rest === 'counter') !== of.endsWith('_total'))
        throw new Error(`the name ${of} does not fit a ${rest}`);
      [name, current] = [of, { type: rest, samples: [] }];
      metrics.set(of, current);
    } else {
      const sample = sampleOf(line);
      const suffixes = SUFFIXES[current?.type ?? ''] ?? [''];
      if (!current || !suffixes.some((suffix) => sample.name === name + suffix)) {
        throw new Error(`the sample does not belong to ${name}: ${line}`);
      }
      const series = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(series)) throw new Error(`duplicate series: ${series}`);
      seen.add(series);
      current.samples.push(sample);
    }
  }
  for (const [metric, { type, samples }] of metrics) {
    if (samples.length === 0) throw new Error(`${metric} has no samples`);
    if (type === 'histogram') checkHistogram(metric, samples);
  }
  return metrics;
}

/**
 * Returns the value of the only sample that has these labels, whatever its other labels are. Returns 0 if there is
 * none. Throws if there are several.
 */
export function sampleValue(
  metrics: Map<string, ParsedMetric>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const found = (metrics.get(name)?.samples ?? []).filter((sample) =>
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  if (found.length > 1) throw new Error(`${name} has ${found.length} such samples`);
  return found[0]?.value ?? 0;
}

function sampleOf(line: string): ParsedMetric['samples'][number] {
  const [, name, inside = '', number] = SAMPLE.exec(line) ?? [];
  if (!name || !number) throw new Error(`invalid sample: ${line}`);
  const labels: Record<string, string> = {};
  let length = 0;
  for (const [whole, label, value] of inside.matchAll(LABEL)) {
    if (label! in labels) throw new Error(`duplicate label: ${line}`);
    labels[label!] = value!.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
    length += whole.length;
  }
  if (length !== inside.length) throw new Error(`invalid labels: ${line}`);
  const value = Number(number.replace('Inf', 'Infinity'));
  if (Number.isNaN(value)) throw new Error(`invalid number: ${line}`);
  return { name, labels, value };
}

/**
 * Checks that the bounds of each series increase, that its buckets do not decrease, and that its last bucket is `+Inf`
 * and equals the count.
 */
function checkHistogram(metric: string, samples: ParsedMetric['samples']): void {
  const named = (suffix: string) => samples.filter(({ name }) => name.endsWith(suffix));
  const bucketsOf = Map.groupBy(named('_bucket'), ({ labels: { le, ...labels } }) =>
    seriesOf(labels),
  );
  for (const { labels, value } of named('_count')) {
    const buckets = bucketsOf.get(seriesOf(labels)) ?? [];
    const last = buckets.at(-1);
    if (last?.labels.le !== '+Inf' || last.value !== value) {
      throw new Error(`${metric} does not end with its count`);
    }
    for (const [index, bucket] of buckets.slice(1).entries()) {
      const before = buckets[index]!;
      const bound = ({ labels: { le } }: typeof bucket) => Number(le!.replace('Inf', 'Infinity'));
      if (bucket.value < before.value || bound(bucket) <= bound(before)) {
        throw new Error(`the buckets of ${metric} are out of order`);
      }
    }
  }
}

const seriesOf = (labels: Record<string, string>): string =>
  JSON.stringify(Object.entries(labels).sort());
