import { expect, it } from 'vitest';
import { webhookAddress } from './webhook-address.ts';

it.each(['http://example.com/x', 'ftp://example.com/x', 'example.com/x', ''])(
  'a webhook address that is not https is rejected: %j',
  (given) => {
    expect(() => webhookAddress(given)).toThrow(
      'The webhook must be a URL that begins with https://.',
    );
  },
);

it('a webhook address with https is accepted', () => {
  expect(webhookAddress('https://example.com/x?y=1')).toBe('https://example.com/x?y=1');
});

it.each([
  'https://user:secret@example.com/x',
  'https://user@example.com/x',
  'https://:s@example.com/',
])('a webhook address with a user name or password is rejected: %j', (given) => {
  expect(() => webhookAddress(given)).toThrow(
    'The webhook must not contain a user name or password. Verify the signature of each delivery instead.',
  );
});
