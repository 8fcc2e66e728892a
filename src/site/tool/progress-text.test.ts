import { describe, expect, it } from 'vitest';
import { progressText } from './progress-text.ts';

const running = (progress: number, message?: string) => ({ status: 'running', progress, message });

describe('progressText', () => {
  it('shows the page, percentage and remaining time of a scan', () => {
    expect(progressText(running(0.5, 'page 2 of 4'), 10_000)).toBe(
      'Working… page 2 of 4, 50 %, about 10 seconds left',
    );
  });

  it('shows the percentage and remaining time of a video', () => {
    expect(progressText(running(0.25), 60_000)).toBe('Working… 25 %, about 3 minutes left');
  });

  it('shows no remaining time in the first seconds or after the work is done', () => {
    expect(progressText(running(0.1, 'page 1 of 10'), 1000)).toBe('Working… page 1 of 10, 10 %');
    expect(progressText(running(1, 'page 4 of 4'), 9000)).toBe('Working… page 4 of 4, 100 %');
  });

  it('shows that a job is waiting or has not progressed', () => {
    expect(progressText({ status: 'queued', progress: 0 }, 9000)).toBe('Waiting in the queue…');
    expect(progressText(running(0), 9000)).toBe('Working…');
    expect(progressText(running(0, 'Merge PDFs'), 9000)).toBe('Working… Merge PDFs');
  });
});
