/** Implements the Durable Object through which all isolates share the browsers of one region. */
import { DurableObject } from 'cloudflare:workers';
import { listed } from '../core/setting-checks.ts';
import { BROWSERS, HOME_BROWSERS } from '../core/settings.ts';
import { BrowserPool, type BrowserSession, type NextStep } from './browser-pool.ts';
import { closeSession } from './browser-session.ts';

/**
 * The time between two launches, in milliseconds. Browser Run launches one browser per second per account, and all
 * regions share this rate.
 */
const LAUNCH_MS = 1000;
/**
 * The time after which an idle browser is closed, in milliseconds. It is short, because Browser Run bills idle
 * browsers.
 */
const IDLE_MS = 10_000;
/**
 * The time after which an idle browser is closed if everything runs on one machine, in milliseconds. It is long,
 * because such a browser costs only memory and makes the next capture a second faster.
 */
const LOCAL_IDLE_MS = 10 * 60_000;
/**
 * The time in milliseconds after which a capture's slot is released even if its isolate has disappeared. It must exceed
 * the longest capture.
 */
const LOST_MS = 180_000;

export class RegionBrowsers extends DurableObject<Cloudflare.Env> {
  readonly #pool: BrowserPool;
  readonly #idleMs: number;
  /** The timers that end lost captures. While a capture runs, its timer also keeps the object's state in memory. */
  readonly #leases = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    super(context, env);
    // On Cloudflare, neither variable is set, because the media workers are Containers.
    const isLocal = Boolean(env.MEDIA_URL || env.MEDIA_URLS);
    const regions = listed(env.MEDIA_REGIONS ?? '').filter(Boolean).length || 1;
    const browsers = Number(env.BROWSERS || (isLocal ? HOME_BROWSERS : BROWSERS));
    this.#pool = new BrowserPool(browsers, isLocal ? 0 : LAUNCH_MS * regions);
    this.#idleMs = isLocal ? LOCAL_IDLE_MS : IDLE_MS;
  }

  /** Returns the numbers of running and waiting captures, and the number of idle browsers. */
  load() {
    return this.#pool.load();
  }

  /** Returns the ticket and the first step of a new capture, or null if too many captures are waiting. */
  enter(caller: string): { ticket: number; step: NextStep } | null {
    const ticket = this.#pool.enter(caller, Date.now());
    if (ticket === null) return null;
    this.#leases.set(
      ticket,
      setTimeout(() => this.leave(ticket), LOST_MS),
    );
    return { ticket, step: this.next(ticket) };
  }

  /** Returns the next step of the capture. A waiting capture must poll this method. */
  next(ticket: number): NextStep {
    return this.#pool.next(ticket, Date.now());
  }

  /** Ends a capture. Keeps its browser for the next capture, or closes it. */
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
