/** A web page as its server sends it: fetched under the contract's bounds, decoded as browsers do. */
import { badRequest } from '../core/errors.ts';
import { MB } from '../core/limits.ts';
import type { EgressPort } from '../core/ports.ts';
import { isMediaType, mediaTypeOf } from '../lib/media-type.ts';
import { decodeHtml } from './charset.ts';
import { fetchFollowing, readWhole, waitForFarSide } from './fetch-following.ts';
import { looksLikeMarkup } from './text-bytes.ts';

const MAX_BYTES = 5 * MB;
const SECONDS = 10;
const REDIRECTS = 3;
const ACCEPT = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1';

export interface Page {
  /** The address after redirects. */
  url: URL;
  html: string;
  /** Whether it came as XHTML, which is read as XML. */
  isXml: boolean;
}

/** Fetches the page. Throws 400 where it is unsafe, no HTML or too large; 502 or 504 where the far side fails. */
export async function fetchPage(
  egress: EgressPort,
  address: URL,
  param: string,
  signal: AbortSignal,
): Promise<Page> {
  const { url, type, bytes } = await waitForFarSide(SECONDS, param, signal, async (limited) => {
    const options = { accept: ACCEPT, redirects: REDIRECTS };
    const followed = await fetchFollowing(egress, address, options, limited);
    const contentType = followed.response.headers.get('Content-Type');
    if (contentType !== null && !isHtml(contentType)) {
      await followed.response.body?.cancel().catch(() => {});
      throw notHtml(contentType);
    }
    const whole = await readWhole(followed.response, MAX_BYTES, pageTooLarge);
    if (contentType === null && !looksLikeMarkup(whole.subarray(0, 1024))) {
      throw notHtml(null);
    }
    return { url: followed.url, type: contentType ?? '', bytes: whole };
  });
  const isXml = /^\s*application\/xhtml\+xml/i.test(type);
  return { url, html: await decodeHtml(bytes, type), isXml };
}

const isHtml = (type: string) => /^\s*(text\/html|application\/xhtml\+xml)\s*(;|,|$)/i.test(type);

/** Quotes the header only where it holds a media type. */
function notHtml(contentType: string | null) {
  const type = mediaTypeOf(contentType);
  const sent = isMediaType(type) && type.length <= 80 ? type : 'no media type';
  return badRequest(`The address is no HTML page: it sends ${sent}. Give the address of a page.`);
}

const pageTooLarge = () =>
  badRequest(`The page is larger than the ${MAX_BYTES / MB} MB that are read.`);
