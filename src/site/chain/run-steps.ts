/** Runs the page's chain through the REST API and returns the result of each step. */
import type { App, AppContext } from '../../http.ts';
import { callRest } from '../call-rest.ts';
import { leftText } from '../tool/left-text.ts';
import { warningText } from '../tool/warning-text.ts';
import { toolChainOf } from './chain-calls.ts';
import { isUpload, type Step, uploadedBy } from './steps.ts';

export interface StepOutcome {
  status: 'succeeded' | 'failed' | 'skipped';
  result?: Record<string, unknown>;
  durationMs?: number;
  /** The error message. `param` is the parameter that caused the error. */
  message?: string;
  param?: string;
  warnings: string[];
}

export interface Outcome {
  status: number;
  /** The outcomes by position on the page. That of an upload is undefined. */
  steps: (StepOutcome | undefined)[];
  /** An error that does not concern any step. */
  message?: string;
  left: string;
}

interface Answered {
  completed?: boolean;
  results?: (Pick<StepOutcome, 'status' | 'result' | 'durationMs'> & { error?: Refused })[];
  error?: string;
  param?: string;
}

interface Refused {
  error: string;
  param?: string;
}

export async function runSteps(app: App, c: AppContext, steps: readonly Step[]): Promise<Outcome> {
  // The API does not count the upload as a step.
  const skipped = isUpload(steps[0]) ? 1 : 0;
  if (skipped && uploadedBy(steps[0]!).length === 0) {
    const message = 'Choose a file first.';
    return { status: 400, left: '', steps: [{ status: 'failed', message, warnings: [] }] };
  }
  const answer = await callRest(app, c, '/api/v1/tools/chain', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ toolChain: toolChainOf(steps) }),
    signal: c.req.raw.signal,
  });
  const { results = [], error, param } = (await answer.json()) as Answered;
  const left = leftText(answer.headers);
  if (!answer.ok) return { status: answer.status, left, ...refusal(String(error), param, skipped) };
  const warnings = warningsIn(answer.headers.get('X-Tool-Warnings') ?? '');
  const outcomes = results.map(
    ({ status, result, durationMs, error: failure }, index): StepOutcome => ({
      status,
      result,
      durationMs,
      warnings: warnings.get(index) ?? [],
      ...(failure && { message: failure.error, param: failure.param }),
    }),
  );
  return { status: 200, steps: [...Array(skipped), ...outcomes], left };
}

/**
 * Assigns the error of a rejected chain to the step that it names. If it names none, the error applies to the whole
 * chain.
 */
function refusal(error: string, param = '', skipped: number): Pick<Outcome, 'steps' | 'message'> {
  const [, step, name] = /^toolChain\[(\d+)\](?:\.parameters\.(\w+))?/.exec(param) ?? [];
  if (step === undefined) return { steps: [], message: error };
  const steps: StepOutcome[] = [];
  const message = error.replace(/^Step \d+: /, '');
  steps[Number(step) + skipped] = { status: 'failed', message, param: name, warnings: [] };
  return { steps };
}

/** Parses the warnings of each step from a percent-encoded header such as `Step 0: … | Step 1: …`. */
function warningsIn(header: string): Map<number, string[]> {
  const warnings = new Map<number, string[]>();
  for (const text of warningText(header).split(' | ')) {
    const [, step, warning] = /^Step (\d+): (.*)$/s.exec(text) ?? [];
    if (warning === undefined) continue;
    warnings.set(Number(step), [...(warnings.get(Number(step)) ?? []), warning]);
  }
  return warnings;
}
