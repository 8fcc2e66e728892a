/** Reads and checks the `webhook` of a call (decisions.md, Additions to the contract). */
import { bearerToken } from '../access/bearer-token.ts';
import { webhookSecret } from '../access/webhook-secret.ts';
import { badRequest, ToolError } from '../core/errors.ts';
import type { Webhook } from '../core/jobs.ts';
import type { Exchange } from '../exchange.ts';
import { webhookAddress } from '../execute/webhook-address.ts';

/**
 * Returns the URL of the webhook, or undefined if the call has none. Throws 400 for an unsuitable URL or without
 * `Prefer: respond-async`, and 401 without an API key.
 */
export async function readWebhook(
  given: unknown,
  { request, prefersAsync }: Exchange,
): Promise<Webhook | undefined> {
  if (given === undefined || given === null) return undefined;
  if (!prefersAsync) {
    throw badRequest(
      '"webhook" requires the header "Prefer: respond-async". Add the header, or remove "webhook".',
      'webhook',
    );
  }
  const url = webhookAddress(given);
  const authorization = request.headers.get('Authorization');
  if (authorization === null) {
    throw new ToolError(
      'invalid_key',
      'Webhooks need an API key, because the secret of the key signs them. Send your key as "Authorization: Bearer tsk_…".',
      { param: 'webhook' },
    );
  }
  return { url, secret: await webhookSecret(bearerToken(authorization)), attempts: [] };
}
