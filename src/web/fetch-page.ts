/** Fetches a web page within the limits of the contract, and decodes the page as browsers do. */
import { badRequest } from '../core/errors.ts';
import { MB } from '../core/limits.ts';
import type { EgressPort } from '../core/ports.ts';
import { isMediaType, mediaTypeOf } from '../lib/body.ts';
import { decodeHtml } from './charset.ts';
import { fetchFollowing, readWhole, waitForUpstream } from './fetch-following.ts';
import { looksLikeMarkup } from './text-bytes.ts';

const MAX_BYTES = 5 * MB;
const SECONDS = 10;
const REDIRECTS = 3;
const ACCEPT = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1';

export interface Page {
  /** The URL after redirects. */
  url: URL;
  html: string;
  /** Whether the page was served as XHTML, which is parsed as XML. */
  isXml: boolean;
}

/**
 * Fetches the page. Throws 400 if the URL is unsafe or redirects too often, or if the page is too large or not HTML.
 * Throws 502 or 504 if the upstream fails, and 503 if name resolution fails.
 */
export async function fetchPage(
  egress: EgressPort,
  address: URL,
  param: string,
  signal: AbortSignal,
): Promise<Page> {
  const { url, type, bytes } = await waitForUpstream(SECONDS, param, signal, async (limited) => {
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

/** The message quotes the header only if it contains a media type. */
function notHtml(contentType: string | null) {
  const type = mediaTypeOf(contentType);
  const sent = isMediaType(type) && type.length <= 80 ? type : 'content without a valid media type';
  return badRequest(`The URL returned ${sent}, not HTML. Use the URL of a web page.`);
}

const pageTooLarge = () => badRequest(`The page exceeds the limit of ${MAX_BYTES / MB} MB.`);
