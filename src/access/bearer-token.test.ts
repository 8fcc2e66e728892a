import { describe, expect, it } from 'vitest';
import { bearerToken } from './bearer-token.ts';

describe('the Authorization header', () => {
  it('accepts a token after Bearer in any letter case', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', ' Bearer  ', 'Bearer\t']) {
      expect(bearerToken(`${scheme} tsk_abc `)).toBe('tsk_abc');
    }
  });

  it.each([
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['another scheme', 'Digest username="x"'],
    ['another scheme', 'BearerX tsk_abc'],
    ['no scheme', 'tsk_abc'],
    ['an empty value', ''],
    ['no key', 'Bearer'],
    ['no key', 'Bearer   '],
    ['several keys', 'Bearer tsk_abc tsk_def'],
    ['several headers', 'Bearer tsk_abc, Bearer tsk_def'],
    ['several headers', 'Bearer tsk_abc,tsk_def'],
    ['a line break', 'Bearer tsk_abc\r\nX-Admin: 1'],
    ['a line break', 'Bearer tsk_abc\nX'],
    ['a control character', 'Bearer tsk_\u0000abc'],
    ['non-ASCII characters', 'Bearer tsk_äöü'],
    ['quotes', 'Bearer "tsk_abc"'],
    ['an oversized value', `Bearer ${'a'.repeat(10_000)}`],
  ])('rejects %s: %j', (_, header) => {
    expect(() => bearerToken(header)).toThrow(
      expect.objectContaining({ code: 'invalid_key', status: 401 }),
    );
  });
});
