/** Tests idempotency keys over REST. */
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { openRequests, releaseHeld } from '../support/model-server-address.ts';
import { baseUrl, body, execute, executeForm } from '../support/service.ts';

const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() });
const shorten = (headers: Record<string, string>, url = 'https://example.com/') =>
  execute('shorten_url', { url }, headers);
const replayed = (response: Response) => response.headers.get('Idempotent-Replayed') === 'true';

async function pdf(): Promise<File> {
  const document = await PDFDocument.create();
  document.addPage();
  const bytes = (await document.save()) as Uint8Array<ArrayBuffer>;
  return new File([bytes], 'a.pdf', { type: 'application/pdf' });
}

const draftCall = (prompt: string): [path: string, body: BodyInit] => {
  const form = new FormData();
  form.append('tool', 'draft_email');
  form.append('parameters', JSON.stringify({ prompt }));
  return ['/api/v1/tools/execute', form];
};

const draftChain = (prompt: string): [path: string, body: BodyInit] => {
  const toolChain = [{ tool: 'draft_email', parameters: { prompt } }];
  const type = 'application/json';
  return ['/api/v1/tools/chain', new Blob([JSON.stringify({ toolChain })], { type })];
};

describe('Idempotency-Key', () => {
  it('replays the first response to the same key and body', async () => {
    const key = newKey();
    const [first, second] = [await shorten(key), await shorten(key)];
    expect([replayed(first), replayed(second)]).toEqual([false, true]);
    expect(second.status).toBe(first.status);
    expect(second.headers.get('Content-Type')).toBe('application/json');
    expect(second.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'));
    const text = await first.text();
    expect(await second.text()).toBe(text);
    expect(first.headers.get('Content-Length')).toBe(String(text.length));
    expect(await (await shorten(newKey())).text()).not.toBe(text);
  });

  it.each([
    ['/api/v1/uploads', { filename: 'a.txt' }, { filename: 'b.txt' }, 201],
    ['/api/v1/search', { query: 'merge PDFs' }, { query: 'split PDFs' }, 200],
  ])('works at %s', async (path, value, other, status) => {
    const key = newKey();
    const send = (given: unknown) =>
      fetch(baseUrl + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...key },
        body: JSON.stringify(given),
      });
    const [first, second] = [await send(value), await send(value)];
    expect([first.status, second.status]).toEqual([status, status]);
    expect([replayed(first), replayed(second)]).toEqual([false, true]);
    expect(await second.text()).toBe(await first.text());
    expect((await send(other)).status).toBe(422);
  });

  it('returns 422 for another body', async () => {
    const key = newKey();
    await shorten(key);
    const response = await shorten(key, 'https://example.org/');
    expect(response.status).toBe(422);
    expect(await body(response)).toMatchObject({ code: 'bad_request', param: 'Idempotency-Key' });
  });

  it('runs one of eight concurrent requests', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => shorten(key)));
    const made = answers.filter(({ status }) => status === 200);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(new Set(await Promise.all(made.map((answer) => answer.text()))).size).toBe(1);
  });

  it.each([
    ['tool', draftCall],
    ['chain', draftChain],
  ])(
    'returns 409 while a %s runs, and is free again after its caller disconnects',
    async (_, call) => {
      const key = newKey();
      const mark = crypto.randomUUID();
      const [path, body] = call(`behave:held ${mark}`);
      const draft = (signal?: AbortSignal) =>
        fetch(baseUrl + path, { method: 'POST', body, headers: key, signal });
      const leaving = new AbortController();
      const left = draft(leaving.signal).catch(() => 'gone');
      await expect.poll(() => openRequests(mark)).toBe(1);
      expect((await draft()).status).toBe(409);
      leaving.abort();
      expect(await left).toBe('gone');
      // The service must first detect the disconnect. Otherwise, it could still receive the response and store it.
      await expect.poll(() => openRequests(mark)).toBe(0);
      await releaseHeld(mark);
      let again = await draft();
      while (again.status === 409) again = await draft();
      expect([again.status, replayed(again)]).toEqual([200, false]);
      await again.arrayBuffer();
      expect(replayed(await draft())).toBe(true);
    },
  );

  it('is scoped to one path', async () => {
    const key = newKey();
    await shorten(key);
    const chain = await fetch(`${baseUrl}/api/v1/tools/chain`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...key },
      body: JSON.stringify({
        toolChain: [{ tool: 'shorten_url', parameters: { url: 'https://a.example/' } }],
      }),
    });
    expect(chain.status).toBe(200);
    expect(replayed(chain)).toBe(false);
  });

  it('caches errors', async () => {
    const key = newKey();
    const failing = () => execute('decode_base64', { encoded: '!' }, key);
    const first = await failing();
    const second = await failing();
    expect([first.status, second.status, replayed(second)]).toEqual([400, 400, true]);
    const bodies = [await body(first), await body(second)];
    expect(bodies[1]).toEqual({ ...bodies[0], requestId: second.headers.get('X-Request-Id') });
    expect(bodies[0].requestId).toBe(first.headers.get('X-Request-Id'));
  });

  it('replays an error in the format that the retry accepts', async () => {
    const headers = newKey();
    await execute('decode_base64', { encoded: '!' }, headers);
    const problem = { ...headers, Accept: 'application/problem+json' };
    const again = await execute('decode_base64', { encoded: '!' }, problem);
    expect([again.headers.get('Content-Type'), replayed(again)]).toEqual([
      'application/problem+json',
      true,
    ]);
    expect(await body(again)).toMatchObject({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'bad_request',
      param: 'encoded',
      detail: expect.stringContaining('Base64'),
      requestId: again.headers.get('X-Request-Id'),
    });
  });

  it('replays bytes, even if the multipart boundary differs', async () => {
    const key = newKey();
    const file = await pdf();
    const merge = () =>
      executeForm(
        [
          ['tool', 'merge_pdf'],
          ['files', file, 'a.pdf'],
          ['files', file, 'b.pdf'],
        ],
        key,
      );
    const first = await merge();
    const second = await merge();
    expect([first.status, replayed(second)]).toEqual([200, true]);
    expect(second.headers.get('Content-Disposition')).toBe(
      first.headers.get('Content-Disposition'),
    );
    const bytes = await first.arrayBuffer();
    expect(new Uint8Array(await second.arrayBuffer())).toEqual(new Uint8Array(bytes));
    expect(second.headers.get('Content-Length')).toBe(String(bytes.byteLength));
    const other = await executeForm(
      [
        ['tool', 'merge_pdf'],
        ['files', file, 'a.pdf'],
        ['files', await pdf(), 'c.pdf'],
      ],
      key,
    );
    expect(other.status).toBe(422);
  });

  it('creates one job', async () => {
    const headers = { ...newKey(), Prefer: 'respond-async' };
    const locations = [await shorten(headers), await shorten(headers)].map(({ headers }) =>
      headers.get('Location'),
    );
    expect(locations[0]).toMatch(/^\/api\/v1\/jobs\//);
    expect(locations[1]).toBe(locations[0]);
  });

  it('caches nothing that has not run, so that a malformed body can be corrected', async () => {
    const key = newKey();
    const send = (text: string) =>
      fetch(`${baseUrl}/api/v1/tools/execute`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...key },
        body: text,
      });
    expect((await send('{')).status).toBe(400);
    expect((await send('{"tool":"encode_base64","parameters":{"text":"a"}}')).status).toBe(200);
  });

  it.each(['', 'ä', 'x'.repeat(256)])('returns 400 for a malformed key: "%s"', async (key) => {
    const response = await shorten({ 'Idempotency-Key': key });
    expect(response.status).toBe(400);
    expect((await body(response)).param).toBe('Idempotency-Key');
  });
});
