/** Tests refusals and token counts, which servers report in many ways. */
import { describe, expect, it } from 'vitest';
import { ChatReading, type Completion, usedTokens } from './openai-reading.ts';

function read(...messages: NonNullable<Completion['choices']>[number]['message'][]) {
  const reading = new ChatReading({ receive: () => {}, count: () => {} }, 1000);
  for (const message of messages) reading.take({ choices: [{ message }] } as Completion);
  return reading.result();
}

describe('a completion', () => {
  it('shortens a refusal, which becomes a part of the error message', () => {
    const pieces = Array.from({ length: 100 }, () => ({ refusal: 'I cannot. ' }));
    expect(() => read(...pieces)).toThrow(
      expect.objectContaining({ kind: 'refused', message: 'I cannot. '.repeat(30) }),
    );
  });

  it('is no refusal if that field is not text', () => {
    for (const refusal of [false, null, {}, [], 0]) {
      expect(read({ content: 'Done.', refusal })).toEqual({ text: 'Done.', finishReason: 'stop' });
    }
  });
});

it('a token count that is no positive whole number is ignored', () => {
  expect(usedTokens({ total_tokens: 30 })).toBe(30);
  expect(usedTokens({ prompt_tokens: 10, completion_tokens: 20 })).toBe(30);
  for (const total_tokens of [4.2, -1, 0, 2e18, Number.POSITIVE_INFINITY, '30' as never]) {
    expect(usedTokens({ total_tokens })).toBeUndefined();
  }
});
