import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { D1Links } from '../adapters/d1-links.ts';
import { handle } from '../app.ts';

beforeAll(() => applyMigrations(env.DB));

const visit = (code: string) =>
  handle(new Request(`http://localhost:8787/${code}`), env, createExecutionContext());

describe('a short link that leads back to this service', () => {
  it.each(['http://localhost:8787/loop-1', 'http://[::1]:8787/%6Coop-1'])(
    'is not followed, however it came to be stored: %s',
    async (target) => {
      await env.DB.exec('DELETE FROM short_links');
      const links = new D1Links(env.DB, 'http://localhost:8787');
      await links.create('loop-1', target);
      await links.create('way-out', 'https://example.com/');
      const refused = await visit('loop-1');
      expect(refused.status).toBe(404);
      expect(refused.headers.get('Location')).toBeNull();
      expect(await refused.json()).toMatchObject({
        code: 'not_found',
        error: expect.stringContaining('leads to another short link of this service'),
      });
      expect((await visit('way-out')).status).toBe(302);
    },
  );
});
