import { describe, expect, it } from 'vitest';
import { stemsOf } from '../../content/terms.ts';
import { excerptOf } from './excerpt.ts';

const TABLE = `Each status has one meaning:

| Status | Meaning |
|---|---|
| \`401\` | The key is unknown. |
| \`429\` | Too many calls. Wait, and repeat them. |`;

const LONG = `${'It says something else. '.repeat(12)}A **passkey** can be lost. Then use a code.`;

describe('excerptOf', () => {
  it.each([
    [
      'only the matching rows of a table',
      TABLE,
      '429',
      'Each status has one meaning: 429 · Too many calls. Wait, and repeat them.;',
    ],
    ['no rows if none matches', `Read this. ${TABLE}`, 'quota', 'Read this.'],
    [
      'the first sentence with a word of the query',
      LONG,
      'lost passkeys',
      '… A passkey can be lost. Then use a code.',
    ],
    [
      'no code',
      'Send this:\n\n```sh\ncurl x\n```\n\nIt answers.',
      'curl',
      'Send this: It answers.',
    ],
  ])('shows %s', (_, markdown, query, excerpt) => {
    expect(excerptOf(markdown, stemsOf(query))).toBe(excerpt);
  });

  it('shows the beginning, cut at a word, if no sentence matches', () => {
    const excerpt = excerptOf(LONG, stemsOf('quota'));
    expect(excerpt).toMatch(/^It says .+ …$/);
    expect(excerpt.length).toBeLessThanOrEqual(222);
  });
});
