import { expect, it } from 'vitest';
import { oidcAddress } from './oidc.ts';

it('returns 503 while the identity provider is unreachable', async () => {
  const settings = {
    // No server listens on port 1, so the provider is unreachable.
    issuer: 'http://127.0.0.1:1',
    clientId: 'tools',
    clientSecret: 'secret',
    allowedDomains: [],
  };
  await expect(oidcAddress(settings, 'http://localhost/callback')).rejects.toMatchObject({
    status: 503,
    retryAfter: 30,
    message: 'The identity provider is not responding. Try again in a moment.',
  });
});
