import { describe, expect, it } from 'vitest';
import { embeddedJson, withoutThoughts } from './model-answer.ts';

describe('thoughts', () => {
  it('are taken away, and nothing is left where they do not end', () => {
    expect(withoutThoughts('<think>\nHm.\n</think>\nYes.').trim()).toBe('Yes.');
    expect(withoutThoughts('<think>Hm, and so')).toBe('');
    expect(withoutThoughts('I <think> so.')).toBe('I <think> so.');
  });

  it('are taken away where the server itself began them', () => {
    expect(withoutThoughts('Hm.\nWell.\n</think>\n\nYes.').trim()).toBe('Yes.');
    for (const text of ['The tag </think> ends it.\nYes.', 'So:\n<think>\nHm.\n</think>\nYes.'])
      expect(withoutThoughts(text)).toBe(text);
  });
});

describe('JSON', () => {
  it('is found bare, in a fence and in a sentence', () => {
    for (const text of ['{"a":[1]}', '```json\n{"a":[1]}\n```', 'It is {"a":[1]}, as asked.']) {
      expect(embeddedJson(text)).toEqual({ a: [1] });
    }
    expect(embeddedJson('none at all')).toBeUndefined();
  });
});
