import { describe, expect, it } from 'vitest';
import { withinTokens } from './within-tokens.ts';

describe('a text within a bound of tokens', () => {
  it('has as many words, no more', () => {
    const cut = withinTokens('word '.repeat(780), 400);
    expect(cut.split(' ')).toHaveLength(400);
    expect(withinTokens(cut, 400)).toBe(cut);
  });

  it('is no longer for having no blanks', () => {
    expect(withinTokens('x'.repeat(5000), 30)).toBe('x'.repeat(300));
    expect(withinTokens('会议'.repeat(1000), 100)).toHaveLength(200);
    expect(withinTokens('データー'.repeat(1000), 100)).toHaveLength(200);
  });

  it('is whole, and unchanged, where a model keeps to the bound', () => {
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
