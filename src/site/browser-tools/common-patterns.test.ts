import { describe, expect, it } from 'vitest';
import { COMMON_PATTERNS } from './common-patterns.ts';

const CASES: Record<keyof typeof COMMON_PATTERNS, [text: string, matches: string[]]> = {
  'Email address': [
    'To ada@example.org, a.b+c@x-y.co.uk; not a@b.',
    ['ada@example.org', 'a.b+c@x-y.co.uk'],
  ],
  URL: ['<a href="https://example.org/a?b=1">', ['https://example.org/a?b=1']],
  'ISO date': ['2026-11-28, 2026-13-01, 2026-02-32', ['2026-11-28']],
  'IPv4 address': ['127.0.0.1 256.1.1.1 255.255.255.255', ['127.0.0.1', '255.255.255.255']],
  UUID: ['id=123e4567-e89b-12d3-a456-426614174000;', ['123e4567-e89b-12d3-a456-426614174000']],
  'Hex color': ['#fff #a1b2c3 #12345 #0000007 #11223344', ['#fff', '#a1b2c3', '#11223344']],
};

describe.each(Object.entries(COMMON_PATTERNS))('the pattern of %s', (name, pattern) => {
  it.each(['g', 'gi', 'gu', 'gv'])('finds its matches with the flags %s', (flags) => {
    const [text, matches] = CASES[name as keyof typeof COMMON_PATTERNS];
    expect(text.match(new RegExp(pattern, flags))).toEqual(matches);
  });
});
