/** The Durable Object that shares the browsers of one region among all isolates. */
import { DurableObject } from 'cloudflare:workers';
import { listed } from '../core/setting-checks.ts';
import { BROWSERS, HOME_BROWSERS } from '../core/settings.ts';
import { BrowserPool, type BrowserSession, type NextStep } from './browser-pool.ts';
import { closeSession } from './browser-session.ts';

/** Browser Run launches one browser a second for an account, so each region gets its share. */
const LAUNCH_MS = 1000;
/** Browser Run bills idle browsers. */
const IDLE_MS = 10_000;
/** On one machine, an idle browser costs memory only, and its next capture is a second faster. */
const LOCAL_IDLE_MS = 10 * 60_000;
/** Longer than any capture, because an isolate may disappear without releasing its browser. */
const LOST_MS = 180_000;

export class RegionBrowsers extends DurableObject<Cloudflare.Env> {
  readonly #pool: BrowserPool;
  readonly #idleMs: number;
  /** Besides ending what was lost, the timers keep the object in memory, where its state is, while a browser is open. */
  readonly #leases = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    // The media worker of a deployed service is a Container, which has no address.
    const isLocal = Boolean(env.MEDIA_URL || env.MEDIA_URLS);
    const regions = listed(env.MEDIA_REGIONS ?? '').filter(Boolean).length || 1;
    const browsers = Number(env.BROWSERS || (isLocal ? HOME_BROWSERS : BROWSERS));
    this.#pool = new BrowserPool(browsers, isLocal ? 0 : LAUNCH_MS * regions);
    this.#idleMs = isLocal ? LOCAL_IDLE_MS : IDLE_MS;
  }

  /** How many captures run and wait, and how many browsers are idle. */
  load() {
    return this.#pool.load();
  }

  /** A new capture's ticket and its first step, or null if too many captures wait. */
  enter(caller: string): { ticket: number; step: NextStep } | null {
    const ticket = this.#pool.enter(caller, Date.now());
    if (ticket === null) return null;
    this.#leases.set(
      ticket,
      setTimeout(() => this.leave(ticket), LOST_MS),
    );
    return { ticket, step: this.next(ticket) };
  }

  /** What the capture does next. One that waits must ask repeatedly. */
  next(ticket: number): NextStep {
    return this.#pool.next(ticket, Date.now());
  }

  /** Ends a capture, whose browser is kept for the next one or closed. */
  async leave(ticket: number, session?: BrowserSession): Promise<void> {
    clearTimeout(this.#leases.get(ticket));
    this.#leases.delete(ticket);
    if (!this.#pool.leave(ticket, session)) {
      if (session) await this.#close(session);
      return;
    }
    setTimeout(() => {
      if (session && this.#pool.takeIdle(session)) void this.#close(session);
    }, this.#idleMs);
  }

  #close(session: BrowserSession): Promise<void> {
    return closeSession(this.env.BROWSER, session.id);
  }
}
