import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SubjectCounters } from '../access/subject-counters.ts';
import { type Ask, LOAN_MS } from '../core/counters.ts';
import { Loans } from './loans.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const ask = (limit: number, seconds: number): Ask => ({
  policy: 'calls',
  limit,
  per: 'window',
  seconds,
  cost: 1,
});

interface Step {
  isolate: number;
  /** Milliseconds since the call before. */
  gap: number;
  /** Milliseconds that a message takes to the counters and back. */
  up: number;
  down: number;
  /** Whether the answer is lost: to the call, or to what is returned after its loan's end. */
  lost: 'none' | 'call' | 'return';
}

/** One subject's counters, asked by isolates whose clocks differ, over a network that takes its time. */
class Simulation {
  readonly #ask: Ask;
  readonly #counters = new SubjectCounters();
  readonly #isolates: { loans: Loans; clock: number }[];
  readonly #events: { at: number; order: number; happen: (now: number) => void }[] = [];
  #order = 0;
  /** When each call that was let through was. */
  readonly passed: number[] = [];
  readonly refused: number[] = [];
  lent = 0;
  lost = 0;

  constructor(subject: Ask, skews: readonly number[]) {
    this.#ask = subject;
    this.#isolates = skews.map((clock) => ({ loans: new Loans(), clock }));
  }

  run(steps: readonly Step[]): void {
    let at = NOON;
    for (const step of steps) {
      at += step.gap;
      this.#at(at, (now) => this.#call(now, step));
    }
    for (let event = this.#next(); event; event = this.#next()) event.happen(event.at);
  }

  #call(now: number, step: Step): void {
    const { loans, clock } = this.#isolates[step.isolate]!;
    const askedAt = now + clock;
    if (loans.take('s', this.#ask, askedAt)) {
      this.passed.push(now);
      return;
    }
    const returns = loans.giveBack('s');
    const id = `loan ${this.#order}`;
    this.#at(now + step.up, (then) => {
      for (const loan of returns) this.#counters.takeBack(loan, then);
      const verdict = this.#counters.take([this.#ask], then);
      const loan = verdict.allowed ? this.#counters.lend(this.#ask, id, then) : undefined;
      if (loan) this.lent += 1;
      if (verdict.allowed) this.passed.push(then);
      else if (verdict.wait === undefined) this.refused.push(then);
      this.#at(then + step.down, (later) => {
        if (step.lost === 'call') {
          this.lost += 1;
          loans.keep('s', [...returns, { ...this.#ask, id, used: [], again: true }]);
        } else if (loan) loans.hold('s', this.#ask, loan, verdict, askedAt);
        this.#at(later + LOAN_MS + 500, (end) => this.#sweep(end, step));
        if (verdict.wait !== undefined && step.lost !== 'call') {
          this.#at(later + 50, (again) => this.#call(again, step));
        }
      });
    });
  }

  #sweep(now: number, step: Step): void {
    const { loans, clock } = this.#isolates[step.isolate]!;
    const ended = loans.over(now + clock).flatMap((subject) => loans.giveBack(subject));
    if (ended.length === 0) return;
    this.#at(now + step.up, (told) => {
      for (const one of ended) this.#counters.takeBack(one, told);
      if (step.lost !== 'return') return;
      this.lost += 1;
      this.#at(told + step.down, (later) => {
        loans.keep('s', ended);
        this.#at(later + 500, (again) => this.#sweep(again, { ...step, lost: 'none' }));
      });
    });
  }

  #at(at: number, happen: (now: number) => void): void {
    this.#events.push({ at, order: this.#order++, happen });
  }

  #next() {
    this.#events.sort((one, other) => one.at - other.at || one.order - other.order);
    return this.#events.shift();
  }
}

const MOST_UP = 60;
const steps = (longestGap: number) =>
  fc.array(
    fc.record({
      isolate: fc.integer({ min: 0, max: 2 }),
      gap: fc.integer({ min: 0, max: longestGap }),
      up: fc.integer({ min: 1, max: MOST_UP }),
      down: fc.integer({ min: 1, max: 60 }),
      lost: fc.constantFrom('none', 'none', 'none', 'none', 'call', 'return'),
    }),
    { minLength: 30, maxLength: 120 },
  );
const skews = fc.tuple(
  fc.integer({ min: -9000, max: 9000 }),
  fc.integer({ min: -9000, max: 9000 }),
  fc.constant(0),
);

describe('units on loan to several isolates', () => {
  it('never let more than the limit through in any span, and refuse nobody for whom there was room, also when answers are lost', () => {
    let lent = 0;
    let lost = 0;
    let refused = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 9, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 400 }).chain(steps),
        skews,
        (limit, seconds, calls, clocks) => {
          const simulation = new Simulation(ask(limit, seconds), clocks);
          simulation.run(calls);
          lent += simulation.lent;
          lost += simulation.lost;
          refused += simulation.refused.length;
          const span = seconds * 1000;
          const { passed } = simulation;
          for (const start of passed) {
            const inSpan = passed.filter((at) => at >= start && at - start <= span);
            expect(inSpan.length).toBeLessThanOrEqual(limit);
          }
          // A unit on loan counts later than it was given out by no more than a message to the counters takes.
          for (const at of simulation.refused) {
            const held = passed.filter((one) => one <= at && at - one <= span + MOST_UP);
            expect(held.length).toBeGreaterThanOrEqual(limit);
          }
        },
      ),
    );
    expect(lent).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
    expect(lost).toBeGreaterThan(50);
  });
});

describe('a unit on loan', () => {
  const [policy, now] = [ask(35, 3600), NOON];
  const lend = () => {
    const counters = new SubjectCounters();
    const loans = new Loans();
    counters.take([policy], now);
    const verdict = counters.take([policy], now);
    const loan = counters.lend(policy, 'one', now)!;
    loans.hold('s', policy, loan, verdict, now);
    return { counters, loans, loan };
  };

  it('tells what is left as the counters would', () => {
    const { loans } = lend();
    const { standings } = loans.take('s', policy, now + 5)!;
    expect(standings).toEqual([{ remaining: 32, resetAt: now + 3_600_001, refuses: false }]);
  });

  it('that is given back is as if it was not taken', () => {
    const { counters, loans } = lend();
    const { at } = loans.take('s', policy, now + 5)!;
    expect(loans.release('s', policy, at)).toBe(true);
    expect(loans.release('s', policy, at)).toBe(false);
    for (const loan of loans.giveBack('s')) counters.takeBack(loan, now + 5);
    expect(counters.standings([policy], now)[0]!.remaining).toBe(33);
  });

  it('does not hurry the clock of the counters, however long it was asked for', () => {
    const counters = new SubjectCounters();
    const loans = new Loans();
    const narrow = ask(40, 10);
    let passed = 0;
    const take = (at: number) => {
      const verdict = counters.take([narrow], at);
      if (verdict.allowed) passed += 1;
      return verdict;
    };
    for (let call = 0; call < 20; call++) take(now);
    take(now + 9900);
    // Asked for at 9,910, lent at 9,970.
    const verdict = take(now + 9970);
    const loan = counters.lend(narrow, 'one', now + 9970)!;
    loans.hold('s', narrow, loan, verdict, now + 9910);
    while (loans.take('s', narrow, now + 9972)) passed += 1;
    for (const one of loans.giveBack('s')) counters.takeBack(one, now + 9974);
    for (let at = now + 9974; at <= now + 10_000; at++) take(at);
    expect(passed).toBe(40);
  });

  it('that could not be returned is returned with the next', () => {
    const { counters, loans } = lend();
    const { at } = loans.take('s', policy, now + 5)!;
    loans.keep('s', loans.giveBack('s'));
    expect(loans.release('s', policy, at)).toBe(false);
    expect(loans.take('s', policy, now + 6)).toBe(undefined);
    expect(loans.over(now + 6)).toEqual(['s']);
    expect(loans.isUnanswered('s')).toBe(true);
    for (const loan of loans.giveBack('s')) counters.takeBack(loan, now + 7);
    expect(counters.standings([policy], now + 7)[0]!.remaining).toBe(32);
  });

  it('is not given out after its time, nor when the clock was set back', () => {
    const { loans } = lend();
    expect(loans.take('s', policy, now + LOAN_MS)).toBe(undefined);
    expect(loans.take('s', policy, now - 1)).toBe(undefined);
    expect(loans.over(now)).toEqual([]);
    expect(loans.over(now + LOAN_MS)).toEqual(['s']);
  });

  it('counts as used where nobody tells that it was not, also after a restart', () => {
    const { counters, loan } = lend();
    const again = new SubjectCounters(structuredClone(counters.save()));
    const late = loan.until + 10_000;
    expect(again.standings([policy], now)[0]!.remaining).toBe(33);
    expect(again.standings([policy], late)[0]!.remaining).toBe(33 - loan.units);
    again.takeBack({ ...policy, id: loan.id, used: [now + 1], again: false }, late);
    expect(again.standings([policy], late)[0]!.remaining).toBe(32);
    expect(again.prune(now + 3_700_000)).toBe(null);
  });

  it('counts once where it is returned again, and where its counters have forgotten it', () => {
    const { counters, loan } = lend();
    const returned = { ...policy, id: loan.id, used: [now + 1], again: false };
    const left = (of: SubjectCounters) => of.standings([policy], now + 5)[0]!.remaining;
    const unwritten = new SubjectCounters();
    for (const of of [counters, unwritten]) {
      of.takeBack(returned, now + 5);
      of.takeBack({ ...returned, again: true }, now + 5);
    }
    expect([left(counters), left(unwritten)]).toEqual([32, 34]);
  });

  it('that is lost does not end lending, and keeps the counters as long as it counts', () => {
    const { counters, loan } = lend();
    const late = loan.until + 1000;
    counters.take([policy], late - 1);
    expect(counters.lend(policy, 'two', late - 1)).toBe(undefined);
    counters.take([policy], late);
    // Half of the 31 - 16 that are left.
    expect(counters.lend(policy, 'two', late)).toMatchObject({ id: 'two', units: 7 });
    counters.takeBack({ ...policy, id: 'two', used: [], again: false }, late + 1);
    expect(counters.standings([policy], late + 1)[0]!.remaining).toBe(15);
    expect(counters.prune(late + 1)).toBe(late + 3_600_001);
    counters.takeBack({ ...policy, id: loan.id, used: [], again: false }, late + 2);
    expect(counters.standings([policy], late + 2)[0]!.remaining).toBe(31);
  });

  it('is not lent soon after somebody had to wait for one: who comes next would wait for it', () => {
    const { counters, loan } = lend();
    for (let call = 0; call < 17; call++) counters.take([policy], now + 1);
    expect(counters.take([policy], now + 1)).toMatchObject({ allowed: false, wait: 2999 });
    counters.takeBack({ ...policy, id: loan.id, used: [], again: false }, now + 2);
    expect(counters.take([policy], now + 2).allowed).toBe(true);
    expect(counters.lend(policy, 'two', now + 2)).toBe(undefined);
    expect(counters.lend(policy, 'two', now + 3001)).toMatchObject({ units: 7 });
  });

  it('is lent of plenty only, once at a time, to who calls in a row', () => {
    const counters = new SubjectCounters();
    counters.take([policy], now);
    expect(counters.lend(policy, 'one', now)).toBe(undefined);
    counters.take([policy], now + 60_000);
    expect(counters.lend(policy, 'one', now + 60_000)).toBe(undefined);
    counters.take([policy], now + 60_001);
    expect(counters.lend(policy, 'one', now + 60_001)).toEqual({
      id: 'one',
      units: 16,
      until: now + 60_001 + LOAN_MS,
    });
    expect(counters.lend(policy, 'two', now + 60_001)).toBe(undefined);
    const narrow = { ...ask(5, 60), policy: 'narrow' };
    counters.take([narrow], now);
    counters.take([narrow], now);
    expect(counters.lend(narrow, 'one', now)).toBe(undefined);
  });
});
