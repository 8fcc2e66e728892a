import { describe, expect, it } from 'vitest';
import { baseUrl, body } from '../support/service.ts';

const store = (name: string, content: BlobPart, type = '') => {
  const form = new FormData();
  form.set('file', new File([content], name, { type }));
  return fetch(`${baseUrl}/api/v1/inputs`, { method: 'POST', body: form });
};
const DAY_MS = 24 * 3_600_000;

describe('POST /api/v1/inputs', () => {
  it('stores a file for a day, and a chain reads it by its link', async () => {
    const input = await body(await store('notes.txt', 'some notes'));
    expect(input).toMatchObject({ filename: 'notes.txt', size: 10, storage: 'r2' });
    const left = Date.parse(input.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(DAY_MS - 60_000);
    expect(left).toBeLessThan(DAY_MS + 60_000);
    const toolChain = [{ tool: 'parse_document', parameters: { fileUrl: input.url } }];
    const response = await fetch(`${baseUrl}/api/v1/tools/chain`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ toolChain }),
    });
    expect((await body(response)).output.text).toBe('some notes');
    const headers = { 'X-Delete-Token': input.deleteToken };
    expect((await fetch(input.url, { method: 'DELETE', headers })).status).toBe(204);
  });

  it('stores a file that does not fit in memory unchanged', async () => {
    const bytes = new Uint8Array(12 * 2 ** 20).map((_, index) => (index * 31) % 251);
    bytes.set([0x1f, 0x8b, 8, 0]);
    const input = await body(await store('a.gz', bytes, 'application/gzip'));
    expect(input.size).toBe(bytes.length);
    expect(Date.parse(input.expiresAt) - Date.now()).toBeLessThan(DAY_MS + 60_000);
    const stored = Buffer.from(await (await fetch(input.url)).arrayBuffer());
    expect(stored.equals(Buffer.from(bytes))).toBe(true);
  });

  it('is not limited like upload_file', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => store('a.txt', 'text')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers[0]!.headers.get('RateLimit-Policy') ?? '"uploads"').toContain('uploads');
  });

  it.each([
    ['HTML', 'a.txt', '<html><body>x</body></html>', 'text/plain', 400],
    ['bytes of another type', 'a.png', 'text', 'image/png', 400],
    ['an empty file', 'a.txt', '', 'text/plain', 400],
  ])('refuses %s', async (_, name, content, type, status) => {
    const response = await store(name, content, type);
    expect(response.status).toBe(status);
    expect(await body(response)).toMatchObject({ param: 'file' });
  });

  it('refuses a request without a file, or of another type', async () => {
    const empty = new FormData();
    empty.set('other', 'x');
    const without = await fetch(`${baseUrl}/api/v1/inputs`, { method: 'POST', body: empty });
    expect(without.status).toBe(400);
    expect((await fetch(`${baseUrl}/api/v1/inputs`, { method: 'POST', body: '{}' })).status).toBe(
      415,
    );
  });
});
