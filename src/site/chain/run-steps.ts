/** Runs the page's chain through the REST API and returns the result of each step. */
import { linkNameOf } from '../../core/define-tool.ts';
import type { App, AppContext } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { callRest } from '../call-rest.ts';
import { quotaText } from '../tool/quota-text.ts';
import { warningsIn } from '../tool/warning-text.ts';
import { toolChainOf } from './chain-calls.ts';
import { stepFields } from './data-flow.ts';
import { misfitOf, noFileText } from './misfit.ts';
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

export interface ChainOutcome {
  status: number;
  /** The outcomes by position on the page. The outcome of an upload is undefined unless it failed. */
  steps: (StepOutcome | undefined)[];
  /** An error that does not concern any step. */
  message?: string;
  /** The text that describes the remaining quota. Empty if it is unknown. */
  quota: string;
}

interface ChainResponse extends Partial<ApiError> {
  results?: (Pick<StepOutcome, 'status' | 'result' | 'durationMs'> & { error?: ApiError })[];
}

/** A job as the API returns it. */
interface Job {
  status: string;
  result?: ChainResponse;
  error?: ApiError;
  warnings?: string[];
}

interface ApiError {
  error: string;
  param?: string;
}

/** Runs the chain. If the request prefers a job, returns the response of the API that accepted it. */
export async function runSteps(
  app: App,
  c: AppContext,
  steps: readonly Step[],
): Promise<ChainOutcome | Response> {
  if (skippedIn(steps) && uploadedBy(steps[0]!).length === 0) {
    const message = 'Choose a file first.';
    return { status: 400, quota: '', steps: [failure(message)] };
  }
  const missing = steps.map((_, index) => missingIn(steps, index));
  if (missing.some(Boolean)) return { status: 400, quota: '', steps: missing };
  const prefer = c.req.header('Prefer');
  const answer = await callRest(app, c, '/api/v1/tools/chain', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(prefer && { Prefer: prefer }) },
    body: JSON.stringify({ toolChain: toolChainOf(steps) }),
    signal: c.req.raw.signal,
  });
  if (answer.status === 202) return answer;
  const response = (await answer.json()) as ChainResponse;
  const quota = chainQuotaText(answer.headers);
  if (!answer.ok) return refusedOutcome(steps, response, answer.status, quota);
  const warnings = warningsIn(answer.headers.get('X-Tool-Warnings'));
  return { quota, ...outcomeOf(steps, response, warnings) };
}

/**
 * Returns the outcome of a chain that ran as a job. The headers of the page's request contain the quota that the page
 * received when the job started.
 */
export async function outcomeOfJob(
  app: App,
  c: AppContext,
  steps: readonly Step[],
  id: string,
): Promise<ChainOutcome> {
  const answer = await callRest(app, c, `/api/v1/jobs/${encodeURIComponent(id)}`);
  if (!answer.ok) return refusedOutcome(steps, await answer.json(), answer.status, '');
  const { status, result, error, warnings = [] } = (await answer.json()) as Job;
  // A chain that did not start has no results.
  if (!result)
    return { status: 200, quota: '', steps: [], message: error?.error ?? `The job is ${status}.` };
  return { quota: chainQuotaText(c.req.raw.headers), ...outcomeOf(steps, result, warnings) };
}

/** Describes the remaining quota. Names the tool if the tool's own limit will be reached first. */
export function chainQuotaText(headers: Headers): string {
  const [, name = ''] = /^"([a-z0-9_]+)[-"]/.exec(headers.get('RateLimit') ?? '') ?? [];
  const title = findTool(name)?.title;
  const text = quotaText(headers);
  return title ? text.replace(' runs left', () => ` runs of "${title}" left`) : text;
}

/** The number of steps that are not part of the API's chain. The API does not count the upload as a step. */
const skippedIn = (steps: readonly Step[]): number => (isUpload(steps[0]) ? 1 : 0);

/** Returns the outcome of a chain that was refused before it began. */
function refusedOutcome(
  steps: readonly Step[],
  { error, param }: Partial<ApiError>,
  status: number,
  quota: string,
): ChainOutcome {
  const skipped = skippedIn(steps);
  const refused = refusal(String(error), param, skipped);
  return { status, quota, ...refused, steps: errorsAtCause(steps, refused.steps, skipped) };
}

function outcomeOf(
  steps: readonly Step[],
  { results = [] }: ChainResponse,
  given: readonly string[],
): Pick<ChainOutcome, 'status' | 'steps'> {
  const skipped = skippedIn(steps);
  const warnings = warningsByStep(given);
  const outcomes = results.map(({ status, result, durationMs, error }, index): StepOutcome => {
    const at = index + skipped;
    const lacksFile =
      index > 0 &&
      isFileOf(steps, at, error?.param) &&
      results[index - 1]!.result?.url === undefined;
    return {
      status,
      result,
      durationMs,
      warnings: warnings.get(index) ?? [],
      ...(error && {
        message: lacksFile ? noFileText(steps, at) : error.error,
        param: error.param,
      }),
    };
  });
  const placed = errorsAtCause(steps, [...Array(skipped), ...outcomes], skipped);
  return { status: 200, steps: placed };
}

const failure = (message: string, param?: string): StepOutcome => ({
  status: 'failed',
  message,
  param,
  warnings: [],
});

/**
 * Returns an error if the step at `index` does not fit, or lacks a parameter that neither the visitor nor the previous
 * step provides.
 */
function missingIn(steps: readonly Step[], index: number): StepOutcome | undefined {
  const { parameters } = steps[index]!;
  const misfit = misfitOf(steps, index);
  if (misfit) return failure(misfit.text);
  const field = stepFields(steps, index).find(
    ({ name, required }) => required && !Object.hasOwn(parameters, name),
  );
  return field && failure('Enter a value.', field.name);
}

/** Whether `param` is the file of the step at `index`, and the visitor has not entered a link to it. */
const isFileOf = (steps: readonly Step[], index: number, param: string | undefined): boolean => {
  const { tool, parameters } = steps[index]!;
  return param !== undefined && param === linkNameOf(tool) && !Object.hasOwn(parameters, param);
};

/**
 * Shows an error in an uploaded file at the upload. If the previous step created the file, the message names that step,
 * because the visitor has not entered the link to the file.
 */
function errorsAtCause(
  steps: readonly Step[],
  outcomes: ChainOutcome['steps'],
  skipped: number,
): ChainOutcome['steps'] {
  return errorsAtUpload(outcomes, skipped).map((outcome, at) => {
    if (!outcome || !isFileOf(steps, at, outcome.param)) return outcome;
    const { param: _, message, ...failed } = outcome;
    const isCreated = outcomes[at - 1]?.result?.filename !== undefined;
    const source = isCreated ? ` Step ${at} created this file.` : '';
    return { ...failed, message: `${message}${source}` };
  });
}

/** Assigns an error in the uploaded files to the upload step, where the visitor can choose other files. */
function errorsAtUpload(steps: ChainOutcome['steps'], skipped: number): ChainOutcome['steps'] {
  const [, next, ...later] = steps;
  if (!skipped || !next?.param?.startsWith('file')) return steps;
  const { message, param: _, ...failed } = next;
  return [failure(message!), failed, ...later];
}

/**
 * Assigns the error of a rejected chain to the step that it names. If it names none, the error applies to the whole
 * chain.
 */
function refusal(
  error: string,
  param = '',
  skipped: number,
): Pick<ChainOutcome, 'steps' | 'message'> {
  const [, step, name] = /^toolChain\[(\d+)\](?:\.parameters\.(\w+))?/.exec(param) ?? [];
  if (step === undefined) return { steps: [], message: error };
  const steps: StepOutcome[] = [];
  const message = error.replace(/^Step \d+: /, '');
  steps[Number(step) + skipped] = failure(message, name);
  return { steps };
}

/** Returns the warnings by step, without the prefix that the API adds, such as `Step 0: `, and without backticks. */
function warningsByStep(given: readonly string[]): Map<number, string[]> {
  const warnings = new Map<number, string[]>();
  for (const text of given) {
    const [, step, warning] = /^Step (\d+): (.*)$/s.exec(text) ?? [];
    if (warning === undefined) continue;
    const shown = warning.replaceAll('`', '');
    warnings.set(Number(step), [...(warnings.get(Number(step)) ?? []), shown]);
  }
  return warnings;
}
