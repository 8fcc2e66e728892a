/** Errors of one file as those of a tool that takes several calls them: at fault is `files`, and it is not `file`. */
import { ToolError } from '../../../src/core/errors.ts';

/** Throws what `work` throws, with `files` in place of `file`. */
export async function namingFiles<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError) || error.param !== 'file') throw error;
    const { code, message, status, retryAfter, details, extra, cause } = error;
    throw new ToolError(code, message, {
      ...{ status, param: 'files', details, cause },
      ...(retryAfter !== undefined && { retryAfter }),
      ...(extra && { extra }),
    });
  }
}
