/** Whether what an address answers is a page that a browser shows, and not a file that it would save. */
import { badRequest, type ToolError, upstreamFailed } from '../core/errors.ts';

/** What of applications is a page, is shown as text, or is looked into by the browser. */
const SHOWN = /^application\/(xml|json|(x-)?javascript|[\w.-]+\+(xml|json)|unknown)$/;

/** Why the answer is no page, or undefined where it is one or leads to another address. */
export function whyNoPage(status: number, headers: Headers): ToolError | undefined {
  if (status === 204 || status === 205)
    return upstreamFailed(`The address answers with the status ${status}, which has no page.`);
  if (status >= 300 && status < 400) return undefined;
  const type = (headers.get('Content-Type') ?? '').split(/[;,]/, 1)[0]!.trim().toLowerCase();
  const isSaved = /^\s*attachment\b/i.test(headers.get('Content-Disposition') ?? '');
  if (!isSaved && (!type.startsWith('application/') || SHOWN.test(type))) return undefined;
  const what = `a file to save${type && ` (${type.slice(0, 80)})`}`;
  return badRequest(`The address is no page: it sends ${what}. Give the address of a page.`);
}

/** What is said of an error without a word, for which browsers show a page of their own. */
export const emptyError = (status: number): ToolError =>
  upstreamFailed(`The address answers with the status ${status} and an empty page.`);
