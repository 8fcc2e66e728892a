/** Tests the model-backed tools over REST with a model server that answers correctly, returns errors, or hangs. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { accountKey } from '../support/account-key.ts';
import { openRequests } from '../support/model-server-address.ts';
import { fetchOnce } from '../support/patient-fetch.ts';
import { baseUrl, body, execute, stateDir } from '../support/service.ts';

const WITH_KEY = { Authorization: `Bearer ${await accountKey(stateDir)}` };

const email = (prompt: string, headers?: Record<string, string>, signal?: AbortSignal) =>
  fetchOnce(`${baseUrl}/api/v1/tools/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ tool: 'draft_email', parameters: { prompt } }),
    signal,
  });

describe('a model-backed tool over REST', () => {
  it('names the provider and the finish reason in headers that other origins can read', async () => {
    const response = await email('hello', { Origin: 'https://example.com' });
    expect(response.status).toBe(200);
    expect(response.headers.get('X-Provider')).toBe('openai');
    expect(response.headers.get('X-Finish-Reason')).toBe('stop');
    expect(response.headers.get('Access-Control-Expose-Headers')).toMatch(
      /X-Finish-Reason.*X-Provider/,
    );
  });

  it('reports that an answer was cut off', async () => {
    const response = await email('behave:length');
    expect(response.headers.get('X-Finish-Reason')).toBe('length');
    expect(response.headers.get('X-Tool-Warnings')).toContain('cut off');
    expect(await body(response)).toEqual({ email: 'This was cut', cached: false });
  });

  it('caches its answers', async () => {
    const prompt = `remember ${Date.now()}`;
    expect(await body(await email(prompt))).toMatchObject({ cached: false });
    expect(await body(await email(prompt))).toMatchObject({ cached: true });
  });

  it.each([
    ['error', 502, 'tool_failed'],
    ['html', 502, 'tool_failed'],
    ['cut', 502, 'tool_failed'],
    ['unsafe', 422, 'tool_failed'],
    ['limited', 503, 'internal'],
  ])('maps a provider response of kind %s to %i %s', async (behavior, status, code) => {
    const response = await email(`behave:${behavior}`);
    expect(response.status).toBe(status);
    const error = await body(response);
    expect(error.code).toBe(code);
    expect(error.error).not.toMatch(/secret|at \w+ \(/);
    if (status === 503) expect(response.headers.get('Retry-After')).toBe('7');
  });
});

describe('a disconnect of the caller', () => {
  it.each(['hangs', 'stalls'])('aborts the call to the provider: %s', async (name) => {
    const mark = crypto.randomUUID();
    const gone = new AbortController();
    const call = email(`behave:${name} ${mark}`, {}, gone.signal).catch(() => null);
    await expect.poll(() => openRequests(mark)).toBe(1);
    gone.abort();
    await call;
    await expect.poll(() => openRequests(mark)).toBe(0);
  });
});

describe('generate_image over REST', () => {
  it.each(['painter', 'jpeg'])(
    'returns a PNG for every format of the provider: %s',
    async (name) => {
      const response = await execute('generate_image', { prompt: `behave:${name}` }, WITH_KEY);
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('image/png');
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get('Content-Length')).toBe(String(bytes.length));
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1, height: 1 });
    },
  );
});

describe('the settings of models', () => {
  it('are all documented', () => {
    const reference = readFileSync('docs/reference.md', 'utf8');
    for (const name of [
      'OPENAI_BASE_URL',
      'OPENAI_API_KEY',
      'MODEL_TEXT',
      'MODEL_IMAGE',
      'MODEL_VISION',
      'MODEL_EMBED',
      'MODEL_ORDER',
    ]) {
      expect(reference).toContain(`\`${name}\``);
    }
  });
});
