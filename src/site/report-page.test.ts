import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { forgetCachedLink } from '../../test/support/cached-links.ts';
import { handle } from '../app.ts';
import { servicesOf } from '../services.ts';

const ORIGIN = 'http://localhost:8787';
const HOSTILE = '</textarea><script>alert(1)</script>\u202e\u0007\r\nBcc: all@example.com';
const REPORT = { url: `${ORIGIN}/abc`, reason: 'phishing', details: HOSTILE, contact: HOSTILE };

interface Sent {
  json?: unknown;
  form?: Record<string, string>;
  origin?: string | null;
  address?: string;
}

async function send(
  { json, form, origin = json ? null : ORIGIN, address = '198.51.100.9' }: Sent,
  bindings: Cloudflare.Env = env,
): Promise<Response> {
  const context = createExecutionContext();
  const headers = {
    'CF-Connecting-IP': address,
    ...(json !== undefined && { 'Content-Type': 'application/json' }),
    ...(origin !== null && { Origin: origin }),
  };
  const body = form ? new URLSearchParams(form) : JSON.stringify(json);
  const response = await handle(
    new Request(`${ORIGIN}/abuse`, { method: 'POST', headers, body }),
    bindings,
    context,
  );
  await waitOnExecutionContext(context);
  return response;
}

const open = () => servicesOf(env).moderation.openReports(99);

beforeEach(async () => {
  await applyMigrations(env);
  await forgetCachedLink(ORIGIN, 'abc');
  await servicesOf(env).links.create('abc', 'https://bad.example/', { address: '192.0.2.1' });
});
afterEach(() => vi.restoreAllMocks());

describe('an abuse report', () => {
  it('is queued from the form or from JSON and changes nothing else', async () => {
    const byForm = await send({ form: REPORT });
    expect(byForm.status).toBe(201);
    const asJson = await send({ json: REPORT });
    expect(asJson.status).toBe(201);
    const { id } = (await asJson.json()) as { id: string };
    const reports = await open();
    expect(reports).toHaveLength(2);
    expect(reports.map((report) => report.id)).toContain(id);
    expect(await byForm.text()).toContain(reports.find((report) => report.id !== id)!.id);
    expect(reports[0]).toMatchObject({ subject: 'link:abc', reason: 'phishing' });
    const visit = new Request(`${ORIGIN}/abc`);
    expect((await handle(visit, env, createExecutionContext())).status).toBe(302);
    const acts = await servicesOf(env).moderation.acts(9);
    expect(acts).toEqual([]);
  });

  it('cannot inject into pages: control characters are removed and the rest is escaped', async () => {
    await send({ json: REPORT });
    const [report] = await open();
    expect(report!.details).toBe('</textarea><script>alert(1)</script>\nBcc: all@example.com');
    expect(report!.contact).toBe('</textarea><script>alert(1)</script> Bcc: all@example.com');
    // The page shows an invalid form again with the entered values.
    const again = await send({ form: { ...REPORT, reason: 'none' } });
    expect(again.status).toBe(400);
    const text = await again.text();
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<script>alert');
  });

  it('is posted to the operator’s webhook without the sender’s text', async () => {
    const bindings = { ...env, ABUSE_WEBHOOK: 'https://hooks.example/in?secret=s' };
    const stub = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response());
    expect((await send({ json: REPORT }, bindings)).status).toBe(201);
    await expect.poll(() => stub.mock.calls.length).toBe(1);
    const [url, init] = stub.mock.calls[0]!;
    expect(url).toBe('https://hooks.example/in?secret=s');
    const [report] = await open();
    const message = JSON.parse(String(init!.body));
    expect(message.text).toContain(`${ORIGIN}/admin/find?q=report%3A${report!.id}`);
    expect(message.report).toMatchObject({
      id: report!.id,
      subject: 'link:abc',
      reason: 'phishing',
    });
    expect(String(init!.body)).not.toContain('script');
    expect(String(init!.body)).not.toContain('Bcc');
  });

  it('is stored even if the webhook fails', async () => {
    const bindings = { ...env, ABUSE_WEBHOOK: 'https://hooks.example/in' };
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('refused'));
    expect((await send({ json: REPORT }, bindings)).status).toBe(201);
    expect(await open()).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['about another site', { url: 'https://example.com/abc' }, 'url'],
    ['about text that is not a link', { url: 'abc' }, 'url'],
    ['about a page', { url: `${ORIGIN}/docs/errors` }, 'url'],
    ['about an unknown link', { url: `${ORIGIN}/none` }, 'url'],
    ['about an unknown file', { url: `${ORIGIN}/files/0abcdefghijklmnopqrstuvwxyz/a` }, 'url'],
    ['without a reason', { reason: undefined }, 'reason'],
    ['with a prototype member as reason', { reason: 'toString' }, 'reason'],
    ['with long details', { details: 'x'.repeat(2001) }, 'details'],
    ['with a list as contact', { contact: [1] }, 'contact'],
  ])('is rejected %s', async (_, fields, param) => {
    const response = await send({ json: { ...REPORT, ...fields } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ param });
    expect(await open()).toEqual([]);
  });

  it.each<[string, Sent]>([
    ['a form from another site', { form: REPORT, origin: 'https://evil.example' }],
    ['a form without an Origin', { form: REPORT, origin: null }],
    ['JSON from another site', { json: REPORT, origin: 'https://evil.example' }],
  ])('is rejected as %s', async (_, sent) => {
    expect((await send(sent)).status).toBe(403);
    expect(await open()).toEqual([]);
  });

  it('counts towards 5 reports per hour and address, valid or not', async () => {
    const bindings = { ...env, RATE_LIMITS: 'on' };
    const address = '2001:db8:5::1';
    expect((await send({ json: {}, address }, bindings)).status).toBe(400);
    for (let sent = 1; sent < 5; sent += 1) {
      expect((await send({ json: REPORT, address }, bindings)).status).toBe(201);
    }
    // This address is in the same /64 as the others, so the limit applies.
    const sixth = await send({ json: REPORT, address: '2001:db8:5::2' }, bindings);
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await send({ json: REPORT, address: '2001:db8:6::1' }, bindings)).status).toBe(201);
    expect(await open()).toHaveLength(5);
  });
});
