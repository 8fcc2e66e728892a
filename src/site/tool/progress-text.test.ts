import { describe, expect, it } from 'vitest';
import { progressText } from './progress-text.ts';

const running = (progress: number, message?: string) => ({ status: 'running', progress, message });

describe('progressText', () => {
  it('says the page, the percentage and the time left of a scan', () => {
    expect(progressText(running(0.5, 'page 2 of 4'), 10_000)).toBe(
      'Working… page 2 of 4, 50 %, about 10 seconds left',
    );
  });

  it('says the percentage and the time left of a video', () => {
    expect(progressText(running(0.25), 60_000)).toBe('Working… 25 %, about 3 minutes left');
  });

  it('estimates no time from the first seconds, and none of finished work', () => {
    expect(progressText(running(0.1, 'page 1 of 10'), 1000)).toBe('Working… page 1 of 10, 10 %');
    expect(progressText(running(1, 'page 4 of 4'), 9000)).toBe('Working… page 4 of 4, 100 %');
  });

  it('says that a job waits, or that nothing is done yet', () => {
    expect(progressText({ status: 'queued', progress: 0 }, 9000)).toBe('Waiting in the queue…');
    expect(progressText(running(0), 9000)).toBe('Working…');
  });
});
