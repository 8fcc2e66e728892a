/** Reads the visitor's remaining quota for a tool, before a call. */
import { ownRatesText } from '../../access/own-limits.ts';
import type { Tool } from '../../core/define-tool.ts';
import { ToolError } from '../../core/errors.ts';
import type { AppContext } from '../../http.ts';
import { log } from '../../lib/log.ts';
import { quotaText } from './quota-text.ts';

/** Describes the remaining quota without consuming any. `textOf` describes the quota that headers report. */
export async function currentQuotaText(
  c: AppContext,
  tool: Tool,
  textOf: (headers: Headers) => string = (headers) => quotaText(headers, ownRatesText(tool)),
): Promise<string> {
  const { access } = c.env.services;
  try {
    const left = await access.toolQuotaHeaders(await access.identify(c.req.raw, c.env.carry), tool);
    return left ? textOf(new Headers(left)) : 'No limit on the number of runs.';
  } catch (error) {
    if (error instanceof ToolError && error.status === 401)
      return 'Sign in to see how many runs are left.';
    log('warn', 'limits-not-read', { cause: error });
    return 'Your remaining runs appear here after each run.';
  }
}
