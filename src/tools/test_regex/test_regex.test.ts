import { describe, expect, it } from 'vitest';
import { testRegex } from './test_regex.ts';

describe('test_regex', () => {
  it('searches globally by default', () => {
    expect(testRegex.input.parse({ pattern: 'a', text: 'a' }).flags).toBe('g');
  });
});
