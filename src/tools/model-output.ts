/** A model's answer as a tool's output: who made it, and whether it was cut off, stand beside it. */
import type { FinishReason } from '../core/models-port.ts';
import { type JsonOutput, json } from '../core/tool-output.ts';

/** @param maxTokens the bound at which an answer is cut off */
export function modelOutput(
  value: Record<string, unknown>,
  { provider, finishReason }: { provider: string; finishReason: FinishReason },
  maxTokens: number,
  warn: (message: string) => void,
): JsonOutput {
  if (finishReason === 'length') {
    warn(`The answer was cut off at about ${maxTokens} tokens; it is not complete.`);
  }
  return json(value, { headers: { 'X-Provider': provider, 'X-Finish-Reason': finishReason } });
}
