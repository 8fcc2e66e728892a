/** Parses the target URL of a short link and normalizes it for storage. */
import { badRequest } from '../../core/errors.ts';

const MAX_URL_CHARACTERS = 8192;

/** Returns the URL as the WHATWG URL parser normalizes it. Throws 400 if it is invalid. */
export function parseTarget(given: string): URL {
  if (given.length > MAX_URL_CHARACTERS) {
    throw badRequest(`The URL is longer than ${MAX_URL_CHARACTERS} characters.`, 'url');
  }
  const url = URL.parse(given);
  if (!url && /^https?:/i.test(given.trimStart())) {
    throw badRequest('The URL is malformed. Check its host and its port.', 'url');
  }
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw badRequest(
      'The URL must be absolute and begin with http:// or https://, as in https://example.com/page.',
      'url',
    );
  }
  if (url.href.length > MAX_URL_CHARACTERS) {
    throw badRequest(
      `The URL is longer than ${MAX_URL_CHARACTERS} characters after normalization.`,
      'url',
    );
  }
  return url;
}
