import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { handle } from '../app.ts';

/** The address differs from that of the other tests, because pages are cached by their address. */
const TEAM = {
  ...env,
  BASE_URL: 'https://team.example',
  OIDC_ISSUER: 'https://sign-in.example',
  OIDC_CLIENT_ID: 'id',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ALLOWED_DOMAINS: 'example.com',
  REQUIRE_SIGN_IN: 'on',
};

beforeAll(() => applyMigrations(env));

it.each([
  ['/docs/api', 'Every call needs an account&#39;s key: send it as'],
  ['/developers', 'Create API keys for Tools. You need an account.'],
])('%s promises no call or key without an account if sign-in is required', async (path, text) => {
  const request = new Request(TEAM.BASE_URL + path, { headers: { Accept: 'text/html' } });
  const response = await handle(request, TEAM, createExecutionContext());
  const page = await response.text();
  expect(page).toContain(text);
  expect(page).not.toMatch(/Most calls need no key|a trial key without an account/);
});
