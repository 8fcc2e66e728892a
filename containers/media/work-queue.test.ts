import { describe, expect, it } from 'vitest';
import { WorkQueue } from './work-queue.ts';

const never = new AbortController().signal;

describe('a work queue', () => {
  it('lets some run, some wait, and refuses the next one at once, with 503 and when to come again', async () => {
    const queue = new WorkQueue(1, 1, 7);
    const [first, second] = [queue.enter(), queue.enter()];
    await first.turn(never);
    expect(() => queue.enter()).toThrow(expect.objectContaining({ status: 503, retryAfter: 7 }));
    const turn = second.turn(never);
    expect(queue.load()).toMatchObject({ running: 1, waiting: 1 });
    first.leave();
    await turn;
    second.leave();
    expect(queue.load()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('refuses what has waited too long, and forgets who went away', async () => {
    const queue = new WorkQueue(1, 9, 5, 30);
    const tickets = [queue.enter(), queue.enter(), queue.enter()];
    await tickets[0]?.turn(never);
    await expect(tickets[1]?.turn(never)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    const gone = new Error('gone');
    const leaving = new AbortController();
    const turn = tickets[2]?.turn(leaving.signal);
    leaving.abort(gone);
    await expect(turn).rejects.toBe(gone);
    for (const ticket of tickets) ticket.leave();
    expect(queue.load()).toMatchObject({ running: 0, waiting: 0 });
    await queue.enter().turn(never);
  });
});
