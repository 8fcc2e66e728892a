/**
 * Converts a model's response to a tool's output, which names the provider and states whether the response was
 * truncated.
 */
import type { FinishReason } from '../core/models-port.ts';
import { type JsonOutput, json } from '../core/tool-output.ts';

/** @param maxTokens the token limit of the response, which the warning about truncation mentions */
export function modelOutput(
  value: Record<string, unknown>,
  { provider, finishReason }: { provider: string; finishReason: FinishReason },
  maxTokens: number,
  warn: (message: string) => void,
): JsonOutput {
  if (finishReason === 'length') {
    warn(`The answer was cut off at about ${maxTokens} tokens and is incomplete.`);
  }
  return json(value, { headers: { 'X-Provider': provider, 'X-Finish-Reason': finishReason } });
}
