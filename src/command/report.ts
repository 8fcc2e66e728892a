/** Reports errors as messages on stderr and as exit codes. */
import { ToolsError } from '../client/client.ts';
import { UsageError } from './usage-error.ts';

export const EXIT_CODES = {
  0: 'done',
  1: 'the service refused the call, or the tool failed',
  2: 'the command line is invalid, or a file cannot be read or written',
  3: 'the service cannot be reached',
  130: 'interrupted',
} as const;

export function exitCodeOf(thrown: unknown): keyof typeof EXIT_CODES {
  if (thrown instanceof ToolsError) return thrown.code === 'unreachable' ? 3 : 1;
  return thrown instanceof Error && thrown.name === 'AbortError' ? 130 : 2;
}

/** @param input the input that caused the error, if there are several inputs */
export function report(thrown: unknown, json = false, input?: string): void {
  const message = messageOf(thrown);
  const { code, status, param, retryAfter, requestId } = thrown as Partial<ToolsError>;
  if (json) {
    const body = { input, error: message, code, status, param, retryAfter, requestId };
    process.stderr.write(`${JSON.stringify(body)}\n`);
    return;
  }
  const id = requestId ? ` (request ${requestId})` : '';
  process.stderr.write(`tools: ${input ? `${input}: ` : ''}${message}${id}\n`);
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (exitCodeOf(thrown) === 130) return 'Interrupted.';
  const isKnown = thrown instanceof UsageError || thrown instanceof ToolsError || 'code' in thrown;
  return (isKnown ? undefined : thrown.stack) ?? thrown.message;
}
