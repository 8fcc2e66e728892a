/** Finds the links of a call that point outside the service's storage. */
import type { StoragePort } from '../core/ports.ts';
import { checkHost, parseWebUrl } from '../web/public-url.ts';

/**
 * Returns the URL of a link outside our storage, or null if the link points to our storage. Throws 400 if the URL is
 * not a public web address.
 */
export function checkLink(
  link: string,
  param: string,
  storage: Pick<StoragePort, 'isOurs'>,
): URL | null {
  if (storage.isOurs(link)) return null;
  const address = parseWebUrl(link, param);
  checkHost(address, param);
  return address;
}
