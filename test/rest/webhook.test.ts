/**
 * Tests the `webhook` parameter of calls that run as jobs: which calls accept it, and the secret that signs the webhook
 * requests.
 */
import { describe, expect, it } from 'vitest';
import { accountKey } from '../support/account-key.ts';
import { EXAMPLE_HOST } from '../support/example-site.ts';
import { baseUrl, body, stateDir } from '../support/service.ts';

const HOOK = `https://${EXAMPLE_HOST}/jobs`;
const key = { Authorization: `Bearer ${await accountKey(stateDir)}` };

const post = (path: string, call: object, headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}/api/v1/tools/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: 'respond-async', ...headers },
    body: JSON.stringify(call),
  });

const encode = { tool: 'encode_base64', parameters: { text: 'hi' } };

describe('a webhook', () => {
  it('is accepted beside the tool, the chain, the parameters, and in a form', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ tool: encode.tool, webhook: HOOK })) {
      form.append(name, value);
    }
    form.append('parameters', JSON.stringify(encode.parameters));
    const headers = { Prefer: 'respond-async', ...key };
    const answers = await Promise.all([
      post('execute', { ...encode, webhook: HOOK }, key),
      post('chain', { toolChain: [encode], webhook: HOOK }, key),
      post('encode_base64', { ...encode.parameters, webhook: HOOK }, key),
      fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', headers, body: form }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(202);
      expect(answer.headers.get('X-Tool-Warnings')).toBeNull();
      const job = await fetch(baseUrl + answer.headers.get('Location')!, { headers: key });
      expect((await body(job)).webhook.url).toBe(HOOK);
      const attempts = async () =>
        (await body(await fetch(job.url, { headers: key }))).webhook.attempts;
      // The example site responds to POST with 404.
      await expect.poll(attempts).toEqual([{ at: expect.any(String), status: 404 }]);
    }
  });

  it.each([
    ['http://hook.invalid/', 400, /https/],
    ['https://127.0.0.1/', 400, /loopback|private/],
    ['https://localhost/', 400, /this machine/],
    ['https://hook.invalid:22/', 400, /port 22/],
    [42, 400, /https URL/],
  ])('returns an error for the address %s', async (webhook, status, message) => {
    for (const path of ['execute', 'chain']) {
      const call = path === 'chain' ? { toolChain: [encode] } : encode;
      const answer = await post(path, { ...call, webhook }, key);
      expect([answer.status, await body(answer)]).toEqual([
        status,
        expect.objectContaining({ param: 'webhook', error: expect.stringMatching(message) }),
      ]);
    }
  });

  it('requires a job and a key', async () => {
    const direct = await post(
      'execute',
      { ...encode, webhook: HOOK },
      { ...key, Prefer: 'wait=5' },
    );
    expect([direct.status, (await body(direct)).param]).toEqual([400, 'webhook']);
    const anonymous = await post('execute', { ...encode, webhook: HOOK });
    expect([anonymous.status, (await body(anonymous)).code]).toEqual([401, 'invalid_key']);
  });

  it('is signed with the secret that /api/v1/usage returns for the key', async () => {
    const usage = await body(await fetch(`${baseUrl}/api/v1/usage`, { headers: key }));
    expect(usage.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
