/** Records the times of the units of one policy in a sliding window. Times are in milliseconds. */
export class SlidingWindow {
  /** The time at which each counted unit was taken, in milliseconds since the epoch. The oldest is first. */
  readonly times: number[];

  constructor(times: number[] = []) {
    this.times = times;
  }

  /** Drops the times that are more than `span` milliseconds before `now`. */
  prune(now: number, span: number): void {
    let gone = 0;
    while (gone < this.times.length && now - this.times[gone]! > span) gone += 1;
    if (gone > 0) this.times.splice(0, gone);
  }

  /** Adds `cost` units at `now`, which must not be before the newest time. */
  add(now: number, cost: number): void {
    for (let unit = 0; unit < cost; unit++) this.times.push(now);
  }

  /** Removes `cost` units counted at `time`, if they are still counted. */
  remove(time: number, cost: number): void {
    const first = this.times.indexOf(time);
    if (first < 0) return;
    let same = 0;
    while (same < cost && this.times[first + same] === time) same += 1;
    this.times.splice(first, same);
  }

  /**
   * Returns the time from which `cost` more units fit within the limit. This is 0 if they fit now, and infinity if they
   * never fit.
   */
  freeAt(limit: number, cost: number, span: number): number {
    const tooMany = this.times.length + cost - limit;
    if (tooMany <= 0) return 0;
    if (cost > limit) return Number.POSITIVE_INFINITY;
    return this.times[tooMany - 1]! + span + 1;
  }
}
