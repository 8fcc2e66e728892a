/**
 * Kills the browser. Other tools must still respond. A capture may get a 503 at first, but later captures must work.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { descendantsOf } from '../support/descendants.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openWebService, type WebService } from '../support/web-service.ts';

let service: WebService;

beforeAll(async () => {
  service = await openWebService(['page.test'], { '/': '<!doctype html><h1>A page</h1>' });
});
afterAll(() => service.close());

const capture = () => service.run('screenshot_url', { url: 'https://page.test/' });

it('captures return only 503 after the browser is killed, and 200 once it has restarted', async () => {
  expect((await capture()).status).toBe(200);
  const browsers = [...descendantsOf(service.child.pid!)].filter(([, name]) => /chrom/.test(name));
  expect(browsers.length).toBeGreaterThan(0);
  for (const [pid] of browsers) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already exited together with its parent.
    }
  }
  expect((await service.run('encode_base64', { text: 'a' })).status).toBe(200);
  const seen: number[] = [];
  await expect
    .poll(async () => seen[seen.push((await capture()).status) - 1], { timeout: PATIENCE_MS })
    .toBe(200);
  expect([200, 503]).toEqual(expect.arrayContaining(seen));
});
