/** Tracks the documents that a page shows one after another, and runs the service's scripts in them. */
import type { CDPSession } from '@cloudflare/puppeteer';

/**
 * The longest time from the announcement of a navigation to its request, and from the request to its document, in
 * milliseconds.
 */
const STEP_MS = 1000;

/** Thrown if another document has replaced the document in use. */
export class Replaced extends Error {}

export class ShownDocument {
  readonly url: string;
  readonly since = Date.now();
  readonly #session: CDPSession;
  readonly #frameId: string;
  readonly #load = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<never>();
  #world: Promise<number> | undefined;

  constructor(session: CDPSession, frame: { id: string; url: string }) {
    this.#session = session;
    this.#frameId = frame.id;
    this.url = frame.url;
    this.#end.promise.catch(() => {});
  }

  /** Settles when the document has loaded. */
  get loaded(): Promise<void> {
    return this.#load.promise;
  }

  hasLoaded(): void {
    this.#load.resolve();
  }

  isReplaced(): void {
    this.#end.reject(new Replaced());
  }

  /** Returns the result of the work. Throws `Replaced` as soon as another document is shown. */
  async during<T>(work: Promise<T>): Promise<T> {
    try {
      return await Promise.race([work, this.#end.promise]);
    } catch (error) {
      // The work may fail before the event for the next document arrives, so the error is thrown only after a short
      // wait for that event.
      await Promise.race([this.#end.promise, scheduler.wait(STEP_MS)]);
      throw error;
    }
  }

  /** Runs a script isolated from the page's own scripts. Returns the script's value. */
  evaluate(expression: string): Promise<unknown> {
    return this.during(this.#evaluate(expression));
  }

  async #evaluate(expression: string): Promise<unknown> {
    this.#world ??= this.#session
      .send('Page.createIsolatedWorld', { frameId: this.#frameId })
      .then(({ executionContextId }) => executionContextId);
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      expression,
      contextId: await this.#world,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value;
  }
}

/** Tracks the documents of a page's main frame. */
export class ShownDocuments {
  current: ShownDocument;
  #announcedUntil = 0;

  private constructor(session: CDPSession, frame: { id: string; url: string }) {
    this.current = new ShownDocument(session, frame);
    session.on('Page.frameNavigated', ({ frame: next }) => {
      if (next.parentId !== undefined) return;
      this.#announcedUntil = 0;
      const last = this.current;
      this.current = new ShownDocument(session, next);
      last.isReplaced();
    });
    // The load event would be too early. Navigations that a page schedules to follow the load event are announced
    // between that event and `frameStoppedLoading`.
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === frame.id) this.current.hasLoaded();
    });
    const announced = (frameId: string, seconds: number) => {
      if (frameId === frame.id && seconds * 1000 <= STEP_MS)
        this.#announcedUntil = Date.now() + seconds * 1000 + STEP_MS;
    };
    session.on('Page.frameScheduledNavigation', (event) => announced(event.frameId, event.delay));
    session.on('Page.frameRequestedNavigation', (event) => announced(event.frameId, 0));
  }

  static async of(session: CDPSession): Promise<ShownDocuments> {
    const { frameTree } = await session.send('Page.getFrameTree');
    return new ShownDocuments(session, frameTree.frame);
  }

  /**
   * Whether another document is about to load. `answeredAt` is the time at which the last request for a document was
   * answered.
   */
  isLeaving(answeredAt: number): boolean {
    const isComing = answeredAt > this.current.since && Date.now() < answeredAt + STEP_MS;
    return isComing || Date.now() < this.#announcedUntil;
  }
}
