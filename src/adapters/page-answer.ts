/** Decides whether a browser displays a response as a page or downloads it as a file. */
import { badRequest, type ToolError, upstreamFailed } from '../core/errors.ts';

/** The application types that browsers show as a page or as text, or whose content they sniff. */
const SHOWN = /^application\/(xml|json|(x-)?javascript|[\w.-]+\+(xml|json)|unknown)$/;

/** Returns the reason why the response is not a page. Returns undefined if it is a page or a redirect. */
export function whyNoPage(status: number, headers: Headers): ToolError | undefined {
  if (status === 204 || status === 205)
    return upstreamFailed(`The URL returned status ${status} and no page.`);
  if (status >= 300 && status < 400) return undefined;
  const type = (headers.get('Content-Type') ?? '').split(/[;,]/, 1)[0]!.trim().toLowerCase();
  const isSaved = /^\s*attachment\b/i.test(headers.get('Content-Disposition') ?? '');
  if (!isSaved && (!type.startsWith('application/') || SHOWN.test(type))) return undefined;
  const what = `a download${type && ` (${type.slice(0, 80)})`}`;
  return badRequest(`The URL returned ${what}, not a page. Use the URL of a web page.`);
}

/** Returns the error for an error response without a body. Browsers would show a built-in page instead. */
export const emptyError = (status: number): ToolError =>
  upstreamFailed(`The URL returned status ${status} and an empty page.`);
