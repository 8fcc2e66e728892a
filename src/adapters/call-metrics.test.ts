import { describe, expect, it } from 'vitest';
import { parsePrometheus, sampleValue } from '../../test/support/prometheus.ts';
import type { CallEvent } from '../core/call-record.ts';
import { prometheusText } from '../core/prometheus.ts';
import { CallMetrics } from './call-metrics.ts';

const CALL = {
  ...{ tool: 'merge_pdf', surface: 'rest', status: 200, code: '', durationMs: 20 },
  ...{ bytesIn: 10, bytesOut: 5, mediaWaitMs: 1000, mediaRunMs: 2500 },
  ...{ provider: '', caller: 'anonymous' },
} as CallEvent;

function metricsOf(calls: Partial<CallEvent>[]) {
  const metrics = new CallMetrics();
  for (const call of calls) metrics.write({ ...CALL, ...call });
  return parsePrometheus(prometheusText(metrics.collect()));
}

describe('the metrics of calls', () => {
  it('add up by tool, surface and status', () => {
    const metrics = metricsOf([
      {},
      { durationMs: 700 },
      { durationMs: 999_000 },
      { status: 400, code: 'bad_request' },
      { surface: 'mcp', provider: 'openai', caller: 'account' },
    ]);
    const rest = { tool: 'merge_pdf', surface: 'rest', status: '200' };
    expect(sampleValue(metrics, 'tools_calls_total', rest)).toBe(3);
    expect(sampleValue(metrics, 'tools_calls_total', { ...rest, status: '400' })).toBe(1);
    expect(sampleValue(metrics, 'tools_calls_total', { surface: 'mcp' })).toBe(1);
    expect(sampleValue(metrics, 'tools_call_received_bytes_total', rest)).toBe(30);
    expect(sampleValue(metrics, 'tools_call_sent_bytes_total', rest)).toBe(15);
    expect(sampleValue(metrics, 'tools_media_wait_seconds_total', rest)).toBe(3);
    expect(sampleValue(metrics, 'tools_media_run_seconds_total', rest)).toBe(7.5);
    expect(sampleValue(metrics, 'tools_callers_total', { caller: 'account' })).toBe(1);
    expect(sampleValue(metrics, 'tools_errors_total', { code: 'bad_request' })).toBe(1);
    expect(sampleValue(metrics, 'tools_model_calls_total', { provider: 'openai' })).toBe(1);
    const buckets = metrics
      .get('tools_call_duration_seconds')!
      .samples.filter(
        ({ name, labels }) =>
          name.endsWith('_bucket') && labels.surface === 'rest' && labels.status === '200',
      )
      .map(({ labels, value }) => [labels.le, value]);
    expect(buckets).toContainEqual(['0.01', 0]);
    expect(buckets).toContainEqual(['0.05', 1]);
    expect(buckets).toContainEqual(['1', 2]);
    expect(buckets).toContainEqual(['120', 2]);
    expect(buckets).toContainEqual(['+Inf', 3]);
  });

  it('have a bound, beyond which no call is lost', () => {
    const calls = Array.from({ length: 5000 }, (_, index) => ({ tool: `tool-${index}` }));
    const metrics = metricsOf(calls);
    const { samples } = metrics.get('tools_calls_total')!;
    expect(samples.length).toBeLessThanOrEqual(2001);
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(5000);
  });
});
