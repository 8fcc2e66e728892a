/** Decides which links of a call lead outside our storage. */
import type { StoragePort } from '../core/ports.ts';
import { judgeHost, parseWebUrl } from '../web/public-url.ts';

/** Returns the URL of a link outside our storage, or null. Throws 400 if it is not a public web address. */
export function judgeLink(
  link: string,
  param: string,
  storage: Pick<StoragePort, 'isOurs'>,
): URL | null {
  if (storage.isOurs(link)) return null;
  const address = parseWebUrl(link, param);
  judgeHost(address, param);
  return address;
}
