import { describe, expect, it } from 'vitest';
import { baseUrl, body } from '../support/service.ts';

const promise = (wishes: unknown) =>
  fetch(`${baseUrl}/api/v1/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(wishes),
  });

const addressFor = async (filename: string, contentType?: string): Promise<string> =>
  (await body(await promise({ filename, contentType }))).uploadUrl;

const put = (url: string, bytes: BodyInit) => fetch(url, { method: 'PUT', body: bytes });

describe('POST /api/v1/uploads', () => {
  it('returns a one-time address with its expiry and its limit', async () => {
    const response = await promise({ filename: 'a.txt', contentType: 'text/plain' });
    expect(response.status).toBe(201);
    const upload = await body(response);
    expect(Object.keys(upload)).toEqual(['uploadUrl', 'method', 'expiresAt', 'maxBytes']);
    expect(upload).toMatchObject({ method: 'PUT', maxBytes: 50 * 2 ** 20 });
    expect(Date.parse(upload.expiresAt)).toBeGreaterThan(Date.now());
    expect(upload.uploadUrl.startsWith(`${baseUrl}/api/v1/uploads/`)).toBe(true);
  });

  it('accepts one PUT, and responds to it like upload_file', async () => {
    const url = await addressFor('notes.txt', 'text/plain');
    const answer = await body(await put(url, 'some notes'));
    expect(answer).toMatchObject({ filename: 'notes.txt', size: 10, storage: 'r2' });
    expect(await (await fetch(answer.url)).text()).toBe('some notes');
    expect((await put(url, 'again')).status).toBe(404);
  });

  it('accepts one of five concurrent PUTs', async () => {
    const url = await addressFor('a.txt');
    const answers = await Promise.all(Array.from({ length: 5 }, () => put(url, 'text')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
  });

  it('stores large files unchanged', async () => {
    const bytes = new Uint8Array(12 * 2 ** 20).map((_, index) => (index * 31) % 251);
    bytes.set([0x1f, 0x8b, 8, 0]);
    const answer = await body(await put(await addressFor('a.gz', 'application/gzip'), bytes));
    expect(answer.size).toBe(bytes.length);
    const stored = Buffer.from(await (await fetch(answer.url)).arrayBuffer());
    expect(stored.equals(Buffer.from(bytes))).toBe(true);
  });

  it('infers the type from the name if none was announced', async () => {
    const response = await put(await addressFor('fake.pdf'), 'hello');
    expect(response.status).toBe(400);
    expect((await body(response)).error).toContain('application/pdf');
    expect((await put(await addressFor('data.xyz'), 'hello')).status).toBe(200);
  });

  it.each([
    ['bytes of another type than announced', 'a.png', 'image/png', 'text'],
    ['HTML', 'a.txt', 'text/plain', '<html><body>x</body></html>'],
    ['an empty file', 'a.txt', 'text/plain', ''],
  ])('refuses %s', async (_, filename, type, content) => {
    const response = await put(await addressFor(filename, type), content);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'bad_request' });
  });

  it('refuses a form and a compressed body with advice, and the address remains valid', async () => {
    const url = await addressFor('notes.txt');
    const form = new FormData();
    form.append('file', new Blob(['some notes']), 'notes.txt');
    const wrapped = await put(url, form);
    expect(wrapped.status).toBe(415);
    expect((await body(wrapped)).error).toContain('curl -T');
    const headers = { 'Content-Encoding': 'gzip' };
    expect((await fetch(url, { method: 'PUT', body: 'x', headers })).status).toBe(415);
    expect((await put(url, 'some notes')).status).toBe(200);
  });

  it('accepts only JSON', async () => {
    const form = new FormData();
    form.append('filename', 'a.txt');
    const response = await fetch(`${baseUrl}/api/v1/uploads`, { method: 'POST', body: form });
    expect(response.status).toBe(415);
    expect((await body(response)).error).toContain('application/json');
  });

  it('refuses more than 50 MB with 413', async () => {
    const url = await addressFor('a.gz');
    expect((await put(url, new Uint8Array(50 * 2 ** 20 + 1))).status).toBe(413);
  });

  it.each([
    [{}, 'filename'],
    [{ filename: ' ' }, 'filename'],
    [{ filename: 5 }, 'filename'],
    [{ filename: 'a', contentType: 'pdf' }, 'contentType'],
    [{ filename: 'a', contentType: 7 }, 'contentType'],
  ])('refuses %j naming the field', async (wishes, param) => {
    const response = await promise(wishes);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'bad_request', param });
  });

  it('warns about unknown fields', async () => {
    const response = await promise({ filename: 'a.txt', size: 3 });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-tool-warnings')).toContain('size');
  });

  it('returns 404 for a PUT to an unknown address', async () => {
    expect((await put(`${baseUrl}/api/v1/uploads/none`, 'text')).status).toBe(404);
    expect((await fetch(`${baseUrl}/api/v1/uploads/none`)).status).toBe(405);
  });
});
