/** Defines the types of chains. The output of a chain has the type of the last step's result. */
import type { ErrorCode } from './shared-types.gen.ts';
import type { ToolTypes } from './tool-types.gen.ts';

/** A parameter, or a reference to an earlier result, such as `{{prev.encoded}}` or `{{steps.0.result.url}}`. */
type Fed<P> = P extends unknown
  ? { [K in keyof P]?: P[K] | `${string}{{${string}}}${string}` }
  : never;

export type ChainStep = {
  [N in keyof ToolTypes]: { tool: N; id?: string; parameters?: Fed<ToolTypes[N]['parameters']> };
}[keyof ToolTypes];

type ResultOf<T> = T extends keyof ToolTypes ? ToolTypes[T]['result'] : unknown;

interface StepResult<T> {
  index: number;
  id?: string;
  tool: T;
  status: 'succeeded' | 'failed' | 'skipped';
  result?: ResultOf<T>;
  error?: { error: string; code: ErrorCode; status: number; param?: string };
  durationMs: number;
}

export interface ChainResult<S extends readonly ChainStep[]> {
  /** Whether every step succeeded. */
  completed: boolean;
  results: { [I in keyof S]: StepResult<S[I]['tool']> };
  /** The result of the last step, or null if a step failed. */
  output:
    | (S extends readonly [...unknown[], infer L extends ChainStep] ? ResultOf<L['tool']> : unknown)
    | null;
  /** The steps that a model planned from a text description. */
  plan?: unknown[];
}
