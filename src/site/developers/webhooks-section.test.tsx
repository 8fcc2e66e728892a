import { describe, expect, it } from 'vitest';
import { WebhooksSection } from './webhooks-section.tsx';

const attempt = {
  at: '2026-11-21T10:00:30.000Z',
  jobId: 'job-1',
  address: 'https://hook.example/<jobs>',
};

describe('the webhook list of an account', () => {
  it('shows the response and the next attempt', () => {
    const shown = String(
      <WebhooksSection
        attempts={[
          { ...attempt, status: 204 },
          { ...attempt, error: 'No answer in time.', nextAt: '2026-11-21T10:04:30.000Z' },
        ]}
      />,
    );
    const rows = shown.split('<tr>').slice(-2);
    const cells = rows.map((row) =>
      row
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(cells).toEqual([
      '2026-11-21 10:00 job-1 https://hook.example/&lt;jobs&gt; 204 none',
      '2026-11-21 10:00 job-1 https://hook.example/&lt;jobs&gt; No answer in time. 2026-11-21 10:04',
    ]);
  });

  it('shows at most 20 webhooks, and nothing when there are none', () => {
    const many = Array.from({ length: 40 }, () => ({ ...attempt, status: 500 }));
    expect(String(<WebhooksSection attempts={many} />).match(/500/g)).toHaveLength(20);
    expect(String(<WebhooksSection attempts={[]} />)).toBe('');
  });
});
