import { describe, expect, it } from 'vitest';
import { withinTokens } from './within-tokens.ts';

describe('withinTokens', () => {
  it('cuts a text to the given number of words', () => {
    const cut = withinTokens('word '.repeat(780), 400);
    expect(cut.split(' ')).toHaveLength(400);
    expect(withinTokens(cut, 400)).toBe(cut);
  });

  it('cuts text without spaces to an estimated length', () => {
    expect(withinTokens('x'.repeat(5000), 30)).toBe('x'.repeat(300));
    expect(withinTokens('会议'.repeat(1000), 100)).toHaveLength(200);
    expect(withinTokens('データー'.repeat(1000), 100)).toHaveLength(200);
  });

  it('leaves a text within the limit unchanged', () => {
    for (const text of [
      'Hi Bob,\n\n  please review the doc.  \n',
      'Können wir die Donaudampfschifffahrtsgesellschaft besuchen?',
      '明日の会議は十時に始まります。',
      '🌍'.repeat(10),
    ]) {
      expect(withinTokens(text, 40)).toBe(text);
    }
    expect(withinTokens('', 1)).toBe('');
  });
});
