import { setTimeout as sleep } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ContentDocument } from '../../src/core/content.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { migrate } from '../migrate.ts';
import { ingest, type Target } from './ingest.ts';
import { localTarget } from './local-target.ts';
import { remoteTarget } from './remote-target.ts';
import { inOrder, readDocuments } from './sources.ts';

const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    cf: false,
    telemetry: { enabled: false },
    modules: true,
    script: 'export default { fetch: () => new Response() }',
    d1Databases: ['DB'],
  }),
);
const database = await miniflare.getD1Database('DB');
await migrate(database, 'migrations');
const target = localTarget(database);
afterAll(() => miniflare.dispose());

const document = (slug: string, more: Partial<ContentDocument> = {}): ContentDocument => ({
  path: `/blog/${slug}`,
  section: 'Blog',
  title: `Title ${slug}`,
  description: `About ${slug}`,
  tags: [],
  publishedAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z',
  markdown: `Words of ${slug}.`,
  ...more,
});

const rows = async (sql: string) => (await database.prepare(sql).all()).results;
const answering = async () =>
  (
    await rows(
      'SELECT path FROM documents, content_state WHERE documents.id / 16777216 = content_state.version ORDER BY path',
    )
  ).map(({ path }) => path);

beforeEach(async () => {
  for (const table of [
    'content_state',
    'documents',
    'passages',
    'passages_fts',
    'content_terms',
    'latent_lists',
    'passage_vectors',
    'ingest_lock',
  ]) {
    await database.prepare(`DELETE FROM ${table}`).run();
  }
});

describe('ingest', () => {
  it('writes documents and passages, and makes them what answers', async () => {
    expect(await ingest([document('a'), document('b')], target, 1)).toEqual({
      version: 1,
      changed: true,
    });
    expect(await answering()).toEqual(['/blog/a', '/blog/b']);
    expect(await rows("SELECT count(*) AS n FROM passages_fts('words')")).toEqual([{ n: 2 }]);
  });

  it('does nothing where nothing has changed', async () => {
    await ingest([document('a')], target, 1);
    const before = await rows('SELECT * FROM content_state');
    expect(await ingest([document('a')], target, 2)).toEqual({ version: 1, changed: false });
    expect(await rows('SELECT * FROM content_state')).toEqual(before);
  });

  it('keeps the old version beside the new one until the next run', async () => {
    for (const [slug, version] of [
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ] as const) {
      expect((await ingest([document(slug)], target, 1)).version).toBe(version);
      expect(await answering()).toEqual([`/blog/${slug}`]);
    }
    expect(await rows('SELECT path FROM documents ORDER BY path')).toEqual([
      { path: '/blog/b' },
      { path: '/blog/c' },
    ]);
  });

  // Five statements remove what was left, five write the rows, the last one makes them answer.
  it.each([0, 4, 5, 6, 8, 10])(
    'leaves the old version answering when it fails after %i statements, and the next run is whole',
    async (after) => {
      await ingest([document('old')], target, 1);
      let left = after;
      const failing: Target = {
        query: target.query,
        async run(statements, beforeEach) {
          for (const statement of statements) {
            if (left === 0) throw new Error('the network is gone');
            left -= 1;
            await target.run([statement], beforeEach);
          }
        },
      };
      await expect(ingest([document('new')], failing, 2)).rejects.toThrow('gone');
      expect(await answering()).toEqual(['/blog/old']);
      expect(await ingest([document('new')], target, 3)).toEqual({ version: 2, changed: true });
      expect(await answering()).toEqual(['/blog/new']);
    },
  );

  it('keeps the vectors of passages that stayed as they were', async () => {
    await ingest([document('a'), document('b')], target, 1);
    await database
      .prepare("INSERT INTO passage_vectors SELECT 'm', digest, 'x' FROM passages")
      .run();
    await ingest([document('a'), document('c')], target, 2);
    await ingest([document('a'), document('d')], target, 3);
    expect(
      await rows(
        'SELECT DISTINCT text FROM passages JOIN passage_vectors USING (digest) ORDER BY text',
      ),
    ).toEqual([{ text: 'Words of a.' }]);
  });

  it('waits for one that is writing, so that two do not mix their versions', async () => {
    await ingest([document('old')], target, 1);
    let writing = 0;
    let most = 0;
    const slow: Target = {
      query: target.query,
      async run(statements, beforeEach) {
        for (const statement of statements) {
          writing += 1;
          most = Math.max(most, writing);
          await target.run([statement], beforeEach);
          await sleep(20);
          writing -= 1;
        }
      },
    };
    const ended = await Promise.all(
      ['one', 'two', 'two'].map((slug) => ingest([document(slug)], slow, 2)),
    );
    expect(most).toBe(1);
    // The other two were each another version, or what answers already.
    expect(ended.filter(({ changed }) => changed).length).toBeGreaterThanOrEqual(2);
    const [{ version }] = (await rows('SELECT version FROM content_state')) as [
      { version: number },
    ];
    expect(await rows(`SELECT id FROM documents WHERE id / 16777216 = ${version}`)).toHaveLength(1);
    expect(await rows('SELECT * FROM ingest_lock')).toEqual([]);
  });

  it('refuses clearly where another one does not end, and writes nothing', async () => {
    await ingest([document('old')], target, 1);
    await rows("INSERT INTO ingest_lock VALUES (1, 'another', unixepoch() + 30) RETURNING id");
    await expect(ingest([document('new')], target, 2, 100)).rejects.toThrow(
      /Another ingest has been writing/,
    );
    expect(await answering()).toEqual(['/blog/old']);
    expect(await rows('SELECT path FROM documents')).toEqual([{ path: '/blog/old' }]);
  });

  it('takes over from one that died while it wrote', async () => {
    await rows("INSERT INTO ingest_lock VALUES (1, 'dead', unixepoch() - 1) RETURNING id");
    expect(await ingest([document('new')], target, 2, 100)).toMatchObject({ changed: true });
  });

  it('ends without making its version answer when another one has taken over', async () => {
    await ingest([document('old')], target, 1);
    vi.useFakeTimers({ toFake: ['Date'] });
    let statements = 0;
    const halted: Target = {
      query: target.query,
      run: (given, beforeEach) =>
        target.run(given, async () => {
          statements += 1;
          if (statements === 7) {
            await rows("UPDATE ingest_lock SET holder = 'another' RETURNING id");
            vi.setSystemTime(Date.now() + 60_000);
          }
          await beforeEach();
        }),
    };
    await expect(ingest([document('new')], halted, 2)).rejects.toThrow(/taken over/);
    vi.useRealTimers();
    expect(await answering()).toEqual(['/blog/old']);
  });

  it('takes no documents at all', async () => {
    await ingest([document('a')], target, 1);
    await ingest([], target, 2);
    expect(await answering()).toEqual([]);
  });
});

describe('the deployed database', () => {
  it('is asked for its version, locked, given statements while it answers, and unlocked', async () => {
    const calls: string[][] = [];
    const wrangler = (args: readonly string[]) => {
      calls.push([...args]);
      return args.includes('--command') ? '[{"results":[{"version":1,"digest":"old"}]}]' : '[]';
    };
    const result = await ingest([document('a')], remoteTarget(wrangler), 1);
    expect(result).toEqual({ version: 2, changed: true });
    expect(calls.map((args) => args.slice(0, 4).join(' '))).toEqual(
      Array(5).fill('d1 execute tools --remote'),
    );
    expect(calls.every((args) => args.includes('--command'))).toBe(true);
    const said = calls.map((args) => args.at(-1)!);
    expect(said[1]).toMatch(/^INSERT INTO ingest_lock /);
    expect(said[3]).toMatch(
      /^DELETE FROM documents .*;INSERT INTO documents .*;INSERT INTO content_state /,
    );
    expect(said[4]).toMatch(/^DELETE FROM ingest_lock /);
  });

  it('gets no statement that is longer than D1 takes, in whatever script the documents are', async () => {
    const sizes: number[] = [];
    const wrangler = (args: readonly string[]) => {
      const command = args.at(-1)!;
      sizes.push(Buffer.byteLength(command));
      return command.includes('ingest_lock')
        ? '[{"results":[{"holder":"us"}]}]'
        : '[{"results":[]}]';
    };
    const long = "日本語の文書です。それは'引用'。\n\n".repeat(900);
    const documents = Array.from({ length: 20 }, (_, number) =>
      document(`long-${number}`, { markdown: `${number} ${long}` }),
    );
    await ingest(documents, remoteTarget(wrangler), 1);
    expect(Math.max(...sizes)).toBeGreaterThan(75_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100_000);
  });
});

describe('a statement with its values in it', () => {
  it('has values that can not end it', async () => {
    const hostile = "'); DROP TABLE documents; --\n what? \r\n; \\' \u2028 €";
    await target.query({
      sql: 'INSERT INTO passage_vectors (model, digest,\n vector) VALUES (?, ?, ?)',
      values: [hostile, 'what? ', 7],
    });
    expect(await rows('SELECT model, digest, vector FROM passage_vectors')).toEqual([
      { model: hostile, digest: 'what? ', vector: '7' },
    ]);
  });
});

describe('the documents of the repository', () => {
  const documents = readDocuments();

  it('are well-formed: every tool has a document and a page', () => {
    const paths = documents.map(({ path }) => path);
    for (const { name } of TOOLS) {
      expect(paths).toContain(`/docs/tools/${name}`);
      expect(paths).toContain(`/tools/${name}`);
    }
    expect(inOrder(documents)).toEqual(documents);
  });

  it('have their tables filled in from the definitions', () => {
    for (const { markdown, path } of documents) expect(markdown, path).not.toMatch(/<!--/);
  });
});
