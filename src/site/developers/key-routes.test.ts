import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../../test/support/apply-migrations.ts';
import { beginSession } from '../../access/accounts/sessions.ts';
import { makeKey, QUOTAS, storedFormOf } from '../../access/api-keys.ts';
import { handle } from '../../app.ts';
import { servicesOf } from '../../services.ts';

const ORIGIN = 'http://localhost:8787';

beforeEach(() => applyMigrations(env));

it('a rotation that loses a race names the secret that the other rotation created', async () => {
  await env.ACCOUNTS.prepare(
    "INSERT INTO accounts (id, name, created_at) VALUES ('ann', 'Ann', 0)",
  ).run();
  const { keys, sessions } = servicesOf(env);
  const now = Date.now();
  await keys.create(
    {
      ...{ id: 'key', kind: 'persistent', name: 'laptop', expiresAt: null, accountId: 'ann' },
      ...QUOTAS.persistent,
      ...(await storedFormOf(makeKey())),
    },
    now,
    { working: 20, inADay: 20 },
  );
  const other = await storedFormOf(makeKey());
  const rotate = keys.rotate.bind(keys);
  vi.spyOn(keys, 'rotate').mockImplementationOnce(async (key, ...rest) => {
    await rotate(key, other, now, now);
    return rotate(key, ...rest);
  });
  const cookie = await beginSession(new Request(ORIGIN), 'ann', sessions, now);
  const request = new Request(`${ORIGIN}/developers/keys/key/rotate`, {
    method: 'POST',
    headers: { Accept: 'text/html', Origin: ORIGIN, Cookie: cookie.split(';', 1)[0]! },
    body: new URLSearchParams({ overlap: '0', rotated: '' }),
  });
  const response = await handle(request, env, createExecutionContext());
  expect(response.status).toBe(409);
  expect(await response.text()).toContain(`already rotated: it is now ${other.display}.`);
});
