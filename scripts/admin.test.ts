import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminStores } from '../src/admin/stores.ts';
import { localBindings } from '../test/support/local-bindings.ts';
import { parseAdminCommand, runAdminCommand } from './admin-command.ts';
import { adminStoresOf } from './admin-stores.ts';
import { migrateAll } from './migrate-all.ts';
import { publicAddresses } from './operator-addresses.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const OPERATING = { who: 'shell:ann', addresses: ['127.0.0.1', '192.0.2.7'] };

const miniflare = localBindings();

let stores: AdminStores;
beforeAll(async () => {
  const bindings = {
    ACCOUNTS: await miniflare.getD1Database('ACCOUNTS'),
    LINKS: await miniflare.getD1Database('LINKS'),
    DB: await miniflare.getD1Database('DB'),
    FILES: await miniflare.getR2Bucket('FILES'),
  };
  await migrateAll(miniflare);
  stores = adminStoresOf(bindings as never, { PORT: '8788' });
  await bindings.LINKS.prepare(
    "INSERT INTO short_links (code, url, created_at, maker) VALUES ('abc', 'https://bad.example/', ?, 'unknown')",
  )
    .bind(NOW)
    .run();
});
afterAll(() => miniflare.dispose());

const admin = (...words: string[]) =>
  runAdminCommand(parseAdminCommand(words), stores, OPERATING, NOW);

describe('npm run admin', () => {
  it('finds a short link, removes it and shows who removed it and why', async () => {
    const found = await admin('find', 'http://localhost:8788/abc');
    expect(found).toContain('link:abc');
    expect(found).toContain('Target\thttps://bad.example/');
    expect(await admin('remove', 'link:abc', '--reason', 'phishing', '--note', 'report 7')).toEqual(
      ['Done: remove link:abc. The change applies everywhere within a minute.'],
    );
    const acted = ['2026-11-21 12:00Z', 'shell:ann', 'remove phishing', 'link:abc', 'report 7'];
    expect(await admin('find', 'abc')).toContain(acted.join('\t'));
    expect(await admin()).toContain(acted.join('\t'));
    expect(await admin('newest')).toContain('2026-11-21 12:00Z\tlink:abc\tremoved: phishing');
  });

  it('blocks a network and lists it, but refuses one that contains an address of this machine', async () => {
    await admin('block', 'network:198.51.100.9', '--note', 'flood', '--expires', '2026-12-01');
    expect(await admin()).toContain(
      '2026-11-21 12:00Z\tnetwork:198.51.100.9/32\tuntil 2026-12-02 00:00Z: flood',
    );
    for (const own of ['127.0.0.1', '192.0.2.0/24']) {
      await expect(admin('block', `network:${own}`, '--note', 'x')).rejects.toThrow('lock you out');
    }
  });

  it.each([
    [['delete', 'link:abc'], 'Unknown command: delete'],
    [['toString'], 'Unknown command: toString'],
    [['block', 'network:1.2.3.4', 'too', 'many'], 'Unexpected argument "too"'],
    [['newest', '--hours', 'x'], '--hours must be'],
    [['--unknown'], 'Unknown option'],
    [['--my-address', 'here'], '--my-address must be an IP address, not here'],
    [['--remote', '--env', 'test'], '--env must be staging or production'],
  ])('refuses %s', (words, message) => {
    expect(() => parseAdminCommand(words)).toThrow(message);
  });

  it('uses the local service, or with --remote production or the named environment', () => {
    expect(parseAdminCommand([]).remote).toBe(null);
    expect(parseAdminCommand(['--remote']).remote).toBe('production');
    expect(parseAdminCommand(['--remote', '--env', 'staging']).remote).toBe('staging');
  });

  it('gets the public address from the deployed host, and fails without one', async () => {
    const answers = ['fl=1\nip=203.0.113.9\nts=1', 'not found'];
    const server = createServer((_, response) => response.end(answers[0])).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      expect(await publicAddresses(`http://127.0.0.1:${port}`)).toContain('203.0.113.9');
      answers.shift();
      await expect(publicAddresses(`http://127.0.0.1:${port}`)).rejects.toThrow('Add --my-address');
    } finally {
      server.close();
    }
  });

  it('reports missing options and missing targets', async () => {
    await expect(admin('restore', 'link:abc')).rejects.toThrow('The note must be');
    await expect(admin('remove', 'link:abc', '--note', 'n')).rejects.toThrow('The reason must be');
    await expect(admin('find', 'nothing at all')).rejects.toThrow('Nothing was found');
  });

  it('opens the local state, and fails with a message if no service has run on it', () => {
    const STATE_DIR = mkdtempSync(join(tmpdir(), 'tools-state-'));
    const { status, stderr } = spawnSync(process.execPath, ['scripts/admin.ts', 'find', 'abc'], {
      encoding: 'utf8',
      env: { ...process.env, STATE_DIR },
    });
    rmSync(STATE_DIR, { recursive: true, force: true });
    expect(stderr).toContain('The database is not set up. Start or deploy the service once.');
    expect(status).toBe(1);
  });
});
