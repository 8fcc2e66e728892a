import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parsePrometheus, sampleValue } from '../../test/support/prometheus.ts';
import { type CallEvent, CallOrigin, CallRecord } from '../core/call-record.ts';
import { unavailable } from '../core/errors.ts';
import { prometheusText } from '../core/prometheus.ts';
import { allSinks, analyticsEngine, CallLog, CallMetrics, DOUBLES } from './call-sinks.ts';

let lines: Record<string, unknown>[];

beforeEach(() => {
  lines = [];
  for (const name of ['log', 'error'] as const) {
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(JSON.parse(line)));
  }
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Records one call with each of these statuses. */
function calls(log: CallLog, sampleRate: number, statuses: readonly number[]): void {
  for (const status of statuses) {
    const request = { headers: new Headers(), cf: { colo: 'FRA' } };
    const record = new CallRecord(new CallOrigin('id', request, allSinks([log], sampleRate)));
    if (status === 503) record.fail(unavailable('The media worker is not responding.', 5));
    record.end(status);
  }
}

describe('the call log', () => {
  it('contains every failure and a sample of successes', () => {
    calls(new CallLog(), 0, [200, 404, 503]);
    expect(lines.map(({ level, status, code }) => [level, status, code])).toEqual([
      ['info', 404, undefined],
      ['error', 503, 'internal'],
    ]);
    calls(new CallLog(), 1, [200]);
    expect(lines.at(-1)).toMatchObject({
      event: 'call',
      requestId: 'id',
      status: 200,
      colo: 'FRA',
      caller: 'anonymous',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('drops calls beyond the burst limit and logs how many', () => {
    const log = new CallLog();
    calls(log, 0, Array(80).fill(404));
    expect(lines).toHaveLength(50);
    vi.setSystemTime(1000);
    calls(log, 0, [404, 404]);
    expect(lines.slice(50).map(({ omitted }) => omitted)).toEqual([30, undefined]);
  });
});

describe('the call sinks', () => {
  it('all receive a call when one throws, and the error is logged', () => {
    const written: CallEvent[] = [];
    const broken = {
      write: () => {
        throw new Error('broken');
      },
    };
    const sinks = allSinks([broken, { write: (event) => written.push(event) }], 0);
    new CallRecord(new CallOrigin('id', { headers: new Headers() }, sinks)).end();
    expect(written).toHaveLength(1);
    expect(lines).toMatchObject([{ event: 'call-not-recorded', requestId: 'id' }]);
  });
});

const CALL = {
  tool: 'merge_pdf',
  surface: 'rest',
  status: 200,
  code: '',
  durationMs: 20,
  bytesIn: 10,
  bytesOut: 5,
  mediaWaitMs: 1000,
  mediaRunMs: 2500,
  provider: '',
  caller: 'anonymous',
} as CallEvent;

/** Writes the calls as data points. Returns the number of calls that each data point represents. */
function pointsOf(calls: Partial<CallEvent>[], random?: () => number) {
  const weights: number[] = [];
  const writeDataPoint = ({ doubles = [] }: AnalyticsEngineDataPoint = {}) =>
    void weights.push(1 + doubles[DOUBLES.indexOf('omitted')]!);
  const sink = analyticsEngine({ writeDataPoint }, random);
  for (const call of calls) sink.write({ ...CALL, ...call });
  return weights;
}

describe('the call data points', () => {
  const ordinary = { mediaWaitMs: 0, mediaRunMs: 0 };

  it('sample a tenth of fast successes, each with weight ten', () => {
    let call = 0;
    const tenths = () => (call++ % 10) / 10;
    expect(pointsOf(Array(30).fill(ordinary), tenths)).toEqual([10, 10, 10]);
    const weights = pointsOf(Array(20_000).fill(ordinary));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    // The tolerance is five standard deviations of the random sample.
    expect(Math.abs(sum - 20_000)).toBeLessThan(2200);
  });

  it('include all failures, slow calls, and calls that used the media worker or a model', () => {
    const calls = [{ status: 404 }, { status: 503 }, { durationMs: 1000 }, { provider: 'openai' }];
    const rare = [...calls.map((call) => ({ ...ordinary, ...call })), {}];
    expect(pointsOf(rare, () => 0.99)).toEqual([1, 1, 1, 1, 1]);
  });
});

function metricsOf(calls: Partial<CallEvent>[]) {
  const metrics = new CallMetrics();
  for (const call of calls) metrics.write({ ...CALL, ...call });
  return parsePrometheus(prometheusText(metrics.collect()));
}

describe('the call metrics', () => {
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

  it('have a series limit, beyond which calls are still counted', () => {
    const calls = Array.from({ length: 5000 }, (_, index) => ({ tool: `tool-${index}` }));
    const metrics = metricsOf(calls);
    const { samples } = metrics.get('tools_calls_total')!;
    expect(samples.length).toBeLessThanOrEqual(2001);
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(5000);
  });
});
