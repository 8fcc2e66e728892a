import { describe, expect, it } from 'vitest';
import { causeText } from './cause-text.ts';

describe('an error in the log', () => {
  it('contains its name, its message and where it was thrown', () => {
    const text = causeText(new TypeError('not a function'));
    expect(text).toMatch(/^TypeError: not a function\n +at /);
  });

  it.each([
    ['a parser’s quotation', 'Unexpected token \'s\', "secret text" is not valid JSON'],
    ['a nested quotation', 'near "a secret "quoted" text": syntax error'],
    ['an unfinished quotation', 'cannot read `secret text'],
    ['a URL', 'fetch failed: https://example.com/secret?x=1'],
    ['a data URL', 'bad address data:text/plain,secret'],
    ['an email address', 'no such user secret@example.com'],
    ['a key', 'refused tsk_secretsecretsecretsecretsecret'],
    ['an IPv4 address', 'connect ECONNREFUSED 203.0.113.7:443'],
    ['an IPv6 address', 'connect EHOSTUNREACH 2001:db8::7 - Local'],
  ])('omits %s', (_, message) => {
    for (const cause of [new Error(message), message]) {
      expect(causeText(cause)).not.toMatch(/secret|203\.0\.113|2001:db8/);
    }
  });

  it('contains the errors that caused it, but not endlessly many and no text of a caller', () => {
    const refused = new Error('connect ECONNREFUSED 203.0.113.7:443', { cause: 'a `secret`' });
    const failed = new TypeError('fetch failed', { cause: refused });
    const text = causeText(failed);
    expect(text).toMatch(/^TypeError: fetch failed\n.+\nCaused by Error: connect ECONNREFUSED/s);
    expect(text).toMatch(/\nCaused by a \[…\]$/);
    expect(text).not.toMatch(/secret|203\.0\.113/);
    refused.cause = failed;
    expect(causeText(failed).match(/Caused by/g)).toHaveLength(2);
  });

  it('omits lines of an earlier message', () => {
    const error = new Error('secret\nsecret too');
    error.stack = String(error.stack);
    error.message = 'other';
    expect(causeText(error)).toBe('Error: other');
  });

  it('is short even for a long message', () => {
    expect(causeText('a '.repeat(100_000)).length).toBeLessThan(400);
  });
});
