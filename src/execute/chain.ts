/** Runs a chain step by step. The result of each step feeds the next step. The chain ends at the first failure. */
import type { CallRecord } from '../core/call-record.ts';
import { ToolError, tooLarge } from '../core/errors.ts';
import { MAX_STORED_JSON_BYTES, MB } from '../core/limits.ts';
import type { Ports } from '../core/ports.ts';
import type { FileFacts } from '../core/tool-output.ts';
import { type ChainStep, indexOfStep } from './chain-steps.ts';
import { execute, openCall, prepare, type RunOptions } from './execute.ts';
import { type Failure, failureOf } from './failure.ts';
import { feed, type Previous } from './feed.ts';
import type { StoredLinks } from './input-files.ts';
import { JsonBudget, replaceReferences, valueAt } from './references.ts';
import { storeOutput } from './store-output.ts';

/**
 * The maximum total size of a chain's JSON results, in bytes. The size is limited because all results are held in
 * memory and sent. A file result is only a link and is not counted.
 */
const MAX_RESULTS_BYTES = 2 * MAX_STORED_JSON_BYTES;
/**
 * The time limit of the whole chain, in milliseconds. It is shorter than the time limit of a job's attempt.
 */
const TIME_LIMIT_MS = 13 * 60_000;

export interface StepResult {
  index: number;
  id?: string;
  tool: string;
  status: 'succeeded' | 'failed' | 'skipped';
  result?: Record<string, unknown>;
  error?: Failure;
  durationMs: number;
}

export interface ChainResult {
  completed: boolean;
  results: StepResult[];
  /** The result of the last step. It is null if any step failed. */
  output: Record<string, unknown> | null;
}

export interface ChainRun {
  result: ChainResult;
  warnings: string[];
  /** The IDs of the files that the chain stored. */
  stored: string[];
  /** The properties that the last step reported about the files in its ZIP. */
  entries: readonly FileFacts[];
  thrown?: unknown;
}

/**
 * Runs validated steps. `links` opens the files that the steps' parameters link to. If a step fails, its error is
 * returned, even if the caller disconnected.
 */
export async function runChain(
  steps: readonly ChainStep[],
  options: RunOptions,
  ports: Ports,
  links: StoredLinks = ports.storage,
): Promise<ChainRun> {
  const run = new Run(steps, options, ports, links);
  await run.toEnd();
  return run.outcome();
}

class Run {
  readonly #steps: readonly ChainStep[];
  readonly #options: RunOptions;
  readonly #ports: Ports;
  readonly #links: StoredLinks;
  readonly #limit = AbortSignal.timeout(TIME_LIMIT_MS);
  readonly #signal: AbortSignal;
  readonly #results: StepResult[] = [];
  readonly #warnings: string[] = [];
  readonly #stored: string[] = [];
  #entries: readonly FileFacts[] = [];
  #previous: Previous | undefined;
  #bytes = 0;
  #thrown: unknown;

  constructor(steps: readonly ChainStep[], options: RunOptions, ports: Ports, links: StoredLinks) {
    this.#links = links;
    this.#steps = steps;
    this.#options = options;
    this.#ports = ports;
    this.#signal = AbortSignal.any([options.signal(), this.#limit]);
  }

  async toEnd(): Promise<void> {
    for (const [index, step] of this.#steps.entries()) {
      const result: StepResult = {
        index,
        ...(step.id !== undefined && { id: step.id }),
        tool: step.tool.name,
        status: 'skipped',
        durationMs: 0,
      };
      this.#results.push(result);
      if (this.#thrown !== undefined) continue;
      const record = this.#options.record?.part(step.tool.name, 'chain');
      const started = Date.now();
      this.#options.progress?.(index / this.#steps.length, step.tool.title);
      try {
        result.result = await this.#step(index, step, record);
        result.status = 'succeeded';
      } catch (thrown) {
        if (this.#limit.aborted) this.#thrown = outOfTime();
        else this.#thrown = this.#signal.aborted ? cancelled() : thrown;
        result.error = failureOf(this.#thrown, this.#options.requestId);
        result.status = 'failed';
        record?.fail(result.error);
      }
      result.durationMs = Date.now() - started;
      record?.end();
    }
    if (this.#thrown === undefined) this.#options.progress?.(1);
  }

  outcome(): ChainRun {
    const completed = this.#thrown === undefined;
    return {
      result: {
        completed,
        results: this.#results,
        output: completed ? (this.#previous?.result ?? null) : null,
      },
      warnings: this.#warnings,
      stored: this.#stored,
      entries: this.#entries,
      thrown: this.#thrown,
    };
  }

  async #step(
    index: number,
    step: ChainStep,
    record: CallRecord | undefined,
  ): Promise<Record<string, unknown>> {
    this.#signal.throwIfAborted();
    const large = this.#options.large?.();
    // The parameters may be large, so the call waits here too until no other large call is computing.
    if (large?.isHeld) await large.begin();
    const prepared = prepare(step.tool, {
      parameters: this.#parametersOf(step),
      files: [],
      surface: 'chain',
    });
    const { progress, ...others } = this.#options;
    const { output, warnings, bytes } = await execute(
      await openCall(prepared, this.#ports, this.#links),
      {
        ...others,
        record,
        resultBytes: MAX_STORED_JSON_BYTES,
        signal: () => this.#signal,
        ...(progress && {
          progress: (fraction: number, message?: string) =>
            progress(
              (index + Math.min(1, Math.max(0, fraction))) / this.#steps.length,
              [step.tool.title, message].filter(Boolean).join(', '),
            ),
        }),
      },
      this.#ports,
    );
    for (const warning of warnings) this.#warnings.push(`Step ${index}: ${warning}`);
    if (output.kind === 'json') {
      if (output.stored) this.#stored.push(output.stored);
      this.#weigh(bytes!);
      record?.sent(bytes!);
      this.#previous = { result: output.value, isFile: false };
      return output.value;
    }
    const { caller } = this.#options;
    const { id, ...result } = await storeOutput(output, this.#ports.storage, caller);
    this.#stored.push(id);
    this.#entries = output.entries;
    record?.sent(result.size);
    this.#previous = { result, isFile: true };
    return result;
  }

  #parametersOf(step: ChainStep): Record<string, unknown> {
    const budget = new JsonBudget();
    const own = replaceReferences(
      step.parameters,
      (reference) => {
        const at = indexOfStep(reference.step, this.#steps.slice(0, this.#results.length - 1));
        return valueAt(this.#results[at]?.result, reference);
      },
      budget,
    ) as Record<string, unknown>;
    if (!this.#previous) return own;
    return feed(step.tool, own, this.#previous, (link) => this.#ports.storage.isOurs(link));
  }

  #weigh(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_RESULTS_BYTES) {
      throw tooLarge(
        `The results of this chain exceed ${MAX_RESULTS_BYTES / MB} MB. Split it into shorter chains.`,
      );
    }
  }
}

/** A cancelled chain is not a service error, so it has the status that the call log uses for cancelled calls. */
const cancelled = () => new ToolError('tool_failed', 'The chain was cancelled.', { status: 499 });

const outOfTime = () =>
  new ToolError(
    'tool_failed',
    `The chain took longer than ${TIME_LIMIT_MS / 60_000} minutes. Split it into shorter chains.`,
    { status: 504 },
  );
