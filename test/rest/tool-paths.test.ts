/** Tests POST /api/v1/tools/{tool}. It works like `execute`, but each tool has a separate path. */
import { describe, expect, it } from 'vitest';
import { baseUrl, body, execute } from '../support/service.ts';

const post = (tool: string, init: RequestInit) =>
  fetch(`${baseUrl}/api/v1/tools/${tool}`, { method: 'POST', ...init });

const postJson = (tool: string, parameters: unknown, headers: Record<string, string> = {}) =>
  post(tool, {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(parameters),
  });

describe('the path of a tool', () => {
  it('accepts the parameters as the JSON body', async () => {
    const response = await postJson('encode_base64', { text: 'hello' });
    expect(response.status).toBe(200);
    expect(await body(response)).toEqual({ encoded: 'aGVsbG8=' });
  });

  it('returns the same errors as execute', async () => {
    for (const [tool, parameters] of [
      ['encode_base64', {}],
      ['merge_pdf', {}],
      ['hash_text', { text: 'x' }],
      ['encode_base46', { text: 'x' }],
    ] as const) {
      const [here, there] = [await postJson(tool, parameters), await execute(tool, parameters)];
      const { requestId: _, ...problem } = await body(here);
      const { requestId: __, ...expected } = await body(there);
      expect([here.status, problem]).toEqual([there.status, expected]);
    }
    const text = await post('encode_base64', { body: 'hello' });
    expect([text.status, (await body(text)).error]).toEqual([
      415,
      expect.stringMatching(/^Send the parameters as application\/json/),
    ]);
    expect((await fetch(`${baseUrl}/api/v1/tools/encode_base64`)).status).toBe(405);
  });

  it('accepts text parts, the part "parameters", or both, and warns of unknown ones', async () => {
    const form = new FormData();
    form.append('parameters', JSON.stringify({ operation: 'of', value1: 1, value2: 80 }));
    form.append('value1', '25');
    form.append('tool', 'encode_base64');
    const response = await post('calculate_percentage', { body: form });
    expect(await body(response)).toMatchObject({ result: 20 });
    expect(response.headers.get('X-Tool-Warnings')).toContain('"tool"');
  });

  it('runs as a job, and replays a response by its Idempotency-Key', async () => {
    const queued = await postJson('encode_base64', { text: 'a' }, { Prefer: 'respond-async' });
    expect([queued.status, queued.headers.get('Location')]).toEqual([
      202,
      expect.stringMatching(/^\/api\/v1\/jobs\//),
    ]);
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await postJson('shorten_url', { url: 'https://example.com/' }, key);
    const again = await postJson('shorten_url', { url: 'https://example.com/' }, key);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await body(again)).toEqual(await body(first));
  });
});
