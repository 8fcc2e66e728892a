/** Reports all metrics of a service: the counted calls and the current lengths of its queues. */
import type { HealthHistory } from '../core/health-history.ts';
import { counter, gauge, type Metric, type Sample } from '../core/prometheus.ts';
import { type CallMetrics, labeled } from './call-sinks.ts';
import type { SendToInstance } from './media-fleet.ts';

/** The number of running calls and the number of waiting calls. */
export interface QueueLoad {
  running: number;
  waiting: number;
}

interface MeasuredService {
  calls: CallMetrics;
  /** The time at which this isolate started counting calls, in milliseconds since the epoch. */
  startedAt: number;
  refusals: ReadonlyMap<string, number>;
  /** The capture slots in all regions. */
  slots: { load(): Promise<QueueLoad & { idle: number }> };
  largeCalls: { load(): QueueLoad };
  /** The media workers whose queues can be read without starting a sleeping worker. */
  media: readonly SendToInstance[];
  health: Pick<HealthHistory, 'last'>;
}

type MediaQueues = Record<string, QueueLoad & { concurrency: number }>;

const MEDIA_LIMIT_MS = 1000;

export async function serviceMetrics(service: MeasuredService): Promise<Metric[]> {
  const { calls, startedAt, refusals, slots, largeCalls, media, health } = service;
  const [queues, check, { idle, ...captures }] = await Promise.all([
    mediaQueues(media),
    health.last(),
    slots.load(),
  ]);
  const kinds = Object.entries(queues);
  return [
    gauge('tools_start_time_seconds', 'When this isolate started counting.', [
      { value: startedAt / 1000 },
    ]),
    ...calls.collect(),
    counter(
      'tools_limiter_refusals_total',
      'Rate-limited calls by policy.',
      labeled('policy', refusals),
    ),
    gauge(
      'tools_media_queue_calls',
      'Running and waiting calls in the media workers.',
      kinds.flatMap(([kind, load]) => states(load, { kind })),
    ),
    gauge(
      'tools_media_queue_slots',
      'Calls that the media workers can run concurrently.',
      kinds.map(([kind, { concurrency }]) => ({ labels: { kind }, value: concurrency })),
    ),
    gauge('tools_browser_captures', 'Running and waiting screenshots.', states(captures)),
    gauge('tools_browsers_idle', 'Idle browsers.', [{ value: idle }]),
    gauge(
      'tools_large_json_calls',
      'Running and waiting calls with large JSON.',
      states(largeCalls.load()),
    ),
    gauge(
      'tools_part_up',
      'Whether a part passed its last check, as shown on /status.',
      (check?.parts ?? [])
        .filter(({ state }) => ['ok', 'degraded', 'down'].includes(state))
        .map(({ name, state }) => ({ labels: { part: name }, value: state === 'down' ? 0 : 1 })),
    ),
  ];
}

const states = ({ running, waiting }: QueueLoad, labels: Record<string, string> = {}): Sample[] => [
  { labels: { ...labels, state: 'running' }, value: running },
  { labels: { ...labels, state: 'waiting' }, value: waiting },
];

/** Adds up the queues of all media workers that respond. */
async function mediaQueues(media: readonly SendToInstance[]): Promise<MediaQueues> {
  const sum: MediaQueues = {};
  for (const queues of await Promise.all(media.map(queuesOf))) {
    for (const [kind, load] of Object.entries(queues)) {
      const { running = 0, waiting = 0, concurrency = 0 } = sum[kind] ?? {};
      sum[kind] = {
        running: running + load.running,
        waiting: waiting + load.waiting,
        concurrency: concurrency + load.concurrency,
      };
    }
  }
  return sum;
}

/** Returns the queues of one media worker, or no queues if it does not respond. */
async function queuesOf(send: SendToInstance): Promise<MediaQueues> {
  try {
    const response = await send('/ready', { signal: AbortSignal.timeout(MEDIA_LIMIT_MS) });
    return (await response.json<{ queues: MediaQueues }>()).queues;
  } catch {
    return {};
  }
}
