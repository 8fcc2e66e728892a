/** Whether a response is a page that a browser shows, rather than a file that it would download. */
import { badRequest, type ToolError, upstreamFailed } from '../core/errors.ts';

/** Application types that are pages, are shown as text, or are sniffed by the browser. */
const SHOWN = /^application\/(xml|json|(x-)?javascript|[\w.-]+\+(xml|json)|unknown)$/;

/** Why the response is not a page; undefined if it is one or redirects. */
export function whyNoPage(status: number, headers: Headers): ToolError | undefined {
  if (status === 204 || status === 205)
    return upstreamFailed(`The address returned status ${status}, which has no page.`);
  if (status >= 300 && status < 400) return undefined;
  const type = (headers.get('Content-Type') ?? '').split(/[;,]/, 1)[0]!.trim().toLowerCase();
  const isSaved = /^\s*attachment\b/i.test(headers.get('Content-Disposition') ?? '');
  if (!isSaved && (!type.startsWith('application/') || SHOWN.test(type))) return undefined;
  const what = `a download${type && ` (${type.slice(0, 80)})`}`;
  return badRequest(`The address is not a page: it returns ${what}. Use the address of a page.`);
}

/** The error for an error response without a body, for which browsers show their built-in page. */
export const emptyError = (status: number): ToolError =>
  upstreamFailed(`The address returned status ${status} and an empty page.`);
