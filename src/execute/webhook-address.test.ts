import { expect, it } from 'vitest';
import { webhookAddress } from './webhook-address.ts';

it.each(['http://example.com/x', 'ftp://example.com/x', 'example.com/x', ''])(
  'asks for https, and only https, instead of %j',
  (given) => {
    expect(() => webhookAddress(given)).toThrow(
      'The webhook must be an address that begins with https://.',
    );
  },
);

it('takes an https address', () => {
  expect(webhookAddress('https://example.com/x?y=1')).toBe('https://example.com/x?y=1');
});

it.each([
  'https://user:secret@example.com/x',
  'https://user@example.com/x',
  'https://:s@example.com/',
])('refuses a user name or password, as in %j', (given) => {
  expect(() => webhookAddress(given)).toThrow(
    'The webhook must not contain a user name or password. Check its signature instead.',
  );
});
