import { describe, expect, it } from 'vitest';
import { accountKey } from '../support/account-key.ts';
import { baseUrl, body, stateDir } from '../support/service.ts';

const usage = (headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}/api/v1/usage`, { headers });

describe('GET /api/v1/usage', () => {
  it('returns 401 without a key', async () => {
    const response = await usage();
    expect(response.status).toBe(401);
    expect(await body(response)).toMatchObject({
      code: 'invalid_key',
      error: expect.stringContaining('/developers'),
    });
  });

  it.each([
    'Basic dXNlcjpwYXNz',
    'Bearer',
    'Bearer tsk_short',
    'Bearer tsk_a tsk_b',
    `Bearer tsk_${'0'.repeat(38)}`,
    'Bearer <script>alert(1)</script>',
  ])('refuses %j with invalid_key and does not repeat it', async (Authorization) => {
    const response = await usage({ Authorization });
    expect(response.status).toBe(401);
    const answer = await body(response);
    expect(answer).toMatchObject({ code: 'invalid_key' });
    expect(answer.error).not.toContain('script');
  });

  it('reports the quotas and the remaining quota of a key, uncached', async () => {
    const response = await usage({ Authorization: `bearer ${await accountKey(stateDir)}` });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await body(response)).toMatchObject({
      keys: [{ kind: 'persistent', today: { requests: 0, limit: 10_000, remaining: 10_000 } }],
      days: [],
      refused: [],
    });
  });
});
