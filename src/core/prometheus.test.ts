import { describe, expect, it } from 'vitest';
import { parsePrometheus } from '../../test/support/prometheus.ts';
import { prometheusText } from './prometheus.ts';

describe('the Prometheus text format', () => {
  it('escapes labels and writes infinity as +Inf', () => {
    const text = prometheusText([
      {
        name: 'strange',
        type: 'gauge',
        help: 'A back\\slash and\na line.',
        samples: [
          { labels: { a: 'quote " back\\slash\nline', b: '' }, value: 1.5 },
          { labels: { a: 'x' }, value: Number.POSITIVE_INFINITY },
        ],
      },
    ]);
    expect(parsePrometheus(text).get('strange')!.samples).toEqual([
      { name: 'strange', labels: { a: 'quote " back\\slash\nline', b: '' }, value: 1.5 },
      { name: 'strange', labels: { a: 'x' }, value: Number.POSITIVE_INFINITY },
    ]);
  });

  it('omits metrics without samples', () => {
    expect(prometheusText([{ name: 'none', type: 'gauge', help: 'None.', samples: [] }])).toBe('');
  });
});
