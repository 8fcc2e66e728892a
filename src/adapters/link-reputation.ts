/** Checks a short link's target with the operator's reputation service when the link is followed. */
import { MB } from '../core/limits.ts';
import { readBounded } from '../lib/body.ts';
import { log } from '../lib/log.ts';

const TIMEOUT_MS = 1500;
const REMEMBER_MS = 5 * 60_000;
const MAX_REMEMBERED = 2000;

export class LinkReputation {
  readonly #template: string | undefined;
  readonly #known = new Map<string, { isThreat: boolean; until: number }>();

  /** @param template the URL template of the service. If it is undefined, every target is trusted. */
  constructor(template: string | undefined) {
    this.#template = template;
  }

  /**
   * Whether the reputation service reports the target as a threat: its response contains a `threat` (Web Risk,
   * uris:search). Returns false if the service fails or does not respond in time.
   */
  async isThreat(target: string): Promise<boolean> {
    if (this.#template === undefined) return false;
    const now = Date.now();
    const known = this.#known.get(target);
    if (known && known.until > now) return known.isThreat;
    try {
      const isThreat = await this.#request(this.#template, target);
      if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
      this.#known.set(target, { isThreat, until: now + REMEMBER_MS });
      return isThreat;
    } catch (error) {
      log('error', 'reputation-unknown', { cause: error });
      return false;
    }
  }

  async #request(template: string, target: string): Promise<boolean> {
    const response = await fetch(template.replaceAll('{url}', encodeURIComponent(target)), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const bytes = await readBounded(response.body, MB, () => new Error('the response is too long'));
    const answer: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof answer === 'object' && answer !== null && 'threat' in answer && !!answer.threat;
  }
}
