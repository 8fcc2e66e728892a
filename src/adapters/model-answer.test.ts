import { describe, expect, it } from 'vitest';
import { embeddedJson, withoutThoughts } from './model-answer.ts';

describe('removing model reasoning', () => {
  it('removes the reasoning, and everything when it never ends', () => {
    expect(withoutThoughts('<think>\nHm.\n</think>\nYes.').trim()).toBe('Yes.');
    expect(withoutThoughts('<think>Hm, and so')).toBe('');
    expect(withoutThoughts('I <think> so.')).toBe('I <think> so.');
  });

  it('removes reasoning whose opening tag the server already sent', () => {
    expect(withoutThoughts('Hm.\nWell.\n</think>\n\nYes.').trim()).toBe('Yes.');
    for (const text of ['The tag </think> ends it.\nYes.', 'So:\n<think>\nHm.\n</think>\nYes.'])
      expect(withoutThoughts(text)).toBe(text);
  });
});

describe('extracting JSON from a model’s answer', () => {
  it('finds JSON that is bare, in a code fence or in a sentence', () => {
    for (const text of ['{"a":[1]}', '```json\n{"a":[1]}\n```', 'It is {"a":[1]}, as asked.']) {
      expect(embeddedJson(text)).toEqual({ a: [1] });
    }
    expect(embeddedJson('none at all')).toBeUndefined();
  });
});
