/**
 * Posts finished jobs to the caller's webhook, signed according to Standard Webhooks
 * (https://www.standardwebhooks.com).
 */
import { createHmac } from 'node:crypto';
import type { LoggedAttempt, Webhook, WebhookAttempt } from '../core/jobs.ts';
import type { EgressPort } from '../core/ports.ts';
import { failureOf } from '../execute/failure.ts';

const MINUTE_MS = 60_000;
/** The pause before each of the six attempts, in milliseconds. The pauses add up to an hour. */
const PAUSES_MS = [0, 1, 4, 10, 20, 25].map((minutes) => minutes * MINUTE_MS);
const ANSWER_MS = 15_000;
const GONE = 410;
/** The maximum number of characters of a webhook's URL in the account's log. */
const MAX_ADDRESS = 200;

/**
 * Returns the value of `Webhook-Signature`.
 * @param timestamp seconds since the epoch
 */
export function signatureOf(
  secret: string,
  id: string,
  timestamp: number,
  body: Uint8Array,
): string {
  const key = Uint8Array.fromBase64(secret.replace(/^whsec_/, ''));
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
}

/**
 * Returns the milliseconds until the next attempt. Returns null if the webhook was delivered, was refused with 410, or
 * was tried six times.
 */
export function pauseBeforeNext({ attempts }: Webhook): number | null {
  const status = attempts.at(-1)?.status ?? 0;
  const isOver = (status >= 200 && status < 300) || status === GONE;
  return isOver ? null : (PAUSES_MS[attempts.length] ?? null);
}

/**
 * Posts the job once, without following redirects. Never throws. The returned attempt contains the error, if there was
 * one.
 */
export async function postWebhook(
  { url, secret }: Webhook,
  jobId: string,
  body: Uint8Array<ArrayBuffer>,
  egress: EgressPort,
  now: number,
): Promise<WebhookAttempt> {
  const id = `msg_${jobId}`;
  const timestamp = Math.floor(now / 1000);
  const at = new Date(now).toISOString();
  try {
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': egress.agent,
      'Webhook-Id': id,
      'Webhook-Timestamp': String(timestamp),
      'Webhook-Signature': signatureOf(secret, id, timestamp, body),
    };
    const request = { url: new URL(url), method: 'POST', headers, body };
    const response = await egress.exchange(request, AbortSignal.timeout(ANSWER_MS));
    await response.body?.cancel();
    return { at, status: response.status };
  } catch (error) {
    const isSlow = error instanceof Error && error.name === 'TimeoutError';
    return {
      at,
      error: isSlow ? 'The webhook did not respond in time.' : failureOf(error, jobId).error,
    };
  }
}

/** Returns the last attempt as an entry for the account's log. */
export function lastAttempt(
  { url, attempts }: Webhook,
  jobId: string,
  now: number,
  pause: number | null,
): LoggedAttempt {
  const { origin, pathname } = new URL(url);
  return {
    ...attempts.at(-1)!,
    jobId,
    address: `${origin}${pathname}`.slice(0, MAX_ADDRESS),
    ...(pause !== null && { nextAt: new Date(now + pause).toISOString() }),
  };
}
