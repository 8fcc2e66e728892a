/** Checks the URL of a webhook before its job is accepted. The guarded fetch checks the URL again for each delivery. */
import { badRequest } from '../core/errors.ts';
import { checkUrl, parseWebUrl } from '../web/public-url.ts';

/** Returns the URL as it will be stored. Throws 400 if the URL cannot receive deliveries. */
export function webhookAddress(given: unknown): string {
  if (typeof given !== 'string') throw badRequest('"webhook" must be an https URL.', 'webhook');
  const { protocol, username, password } = URL.parse(given) ?? {};
  if (protocol !== 'https:') {
    throw badRequest('The webhook must be a URL that begins with https://.', 'webhook');
  }
  if (username || password) {
    throw badRequest(
      'The webhook must not contain a user name or password. Verify the signature of each delivery instead.',
      'webhook',
    );
  }
  const url = parseWebUrl(given, 'webhook');
  checkUrl(url, 'webhook');
  return url.href;
}
