import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { modelsOf } from '../../test/support/models.ts';
import { D1Vectors } from '../adapters/d1-vectors.ts';
import { Models } from '../adapters/models.ts';
import { WorkersAi } from '../adapters/workers-ai.ts';
import type { Passage } from '../core/content.ts';
import { embedPassages, embedWith } from './embed-passages.ts';
import { indexPassages, PassageIndex } from './passage-index.ts';
import { search } from './search.ts';

const passage = (id: number, text: string): Passage => ({
  id,
  text,
  section: 'Blog',
  heading: '',
  also: '',
  path: `/blog/${id}`,
  title: `Post ${id}`,
  digest: `d${id}`,
});
const TEXTS = ['purple elephants trumpet loudly', 'quiet submarines travel beneath', 'nothing'];
const passages = TEXTS.map((text, id) => passage(id, text));

beforeAll(() => applyMigrations(env));

let store: D1Vectors;
beforeEach(async () => {
  await env.DB.prepare('DELETE FROM passage_vectors').run();
  store = new D1Vectors(env.DB);
});

const call = { signal: new AbortController().signal, spend: () => {} };
const find = (query: string, models = modelsOf('embedder')) =>
  search(query, 5, {
    index: new PassageIndex(indexPassages(passages)),
    vectors: store,
    embed: embedWith(models, call),
  });
const pathsOf = (found: { passages: { passage: Passage }[] }) =>
  found.passages.map(({ passage: { path } }) => path);

describe('keyword search', () => {
  it('finds a passage by any form of its words, even with a typo', async () => {
    for (const query of ['elephant', 'the elephants', 'elephnats trumpet'])
      expect(pathsOf(await find(query, new Models([]))), query).toHaveLength(1);
  });

  it('counts each word of a query once, however often it is repeated', async () => {
    const once = await find('elephants submarines', new Models([]));
    const repeated = await find(`elephants ${'submarines '.repeat(40)}`, new Models([]));
    expect(repeated).toEqual(once);
  });

  it('finds nothing for a query of stop words or unknown words', async () => {
    for (const query of ['the of and', 'xyzzy', '', '"*'])
      expect(pathsOf(await find(query, new Models([]))), query).toEqual([]);
  });

  it('returns scores from 0 to 1', async () => {
    const { passages: found } = await find('purple elephants and quiet submarines', new Models([]));
    expect(found).toHaveLength(2);
    for (const { score } of found) expect(score > 0 && score <= 1).toBe(true);
  });
});

describe('passage embeddings', () => {
  it('are created once for every passage and searched by similarity', async () => {
    expect(await embedPassages(modelsOf('embedder'), store, passages)).toBe(3);
    expect(await embedPassages(modelsOf('embedder'), store, passages)).toBe(0);
    const found = await find('elephants that trumpet');
    expect(found.retrieval).toBe('hybrid');
    expect(pathsOf(found)).toEqual(['/blog/0']);
  });

  it('are updated only for changed passages and deleted for removed ones', async () => {
    await embedPassages(modelsOf('embedder'), store, passages);
    const changed = [{ ...passages[0]!, digest: 'new' }, passages[2]!];
    expect(await embedPassages(modelsOf('embedder'), store, changed)).toBe(1);
    const { results } = await env.DB.prepare(
      'SELECT digest FROM passage_vectors ORDER BY digest',
    ).all();
    expect(results).toEqual([{ digest: 'd2' }, { digest: 'new' }]);
  });

  it('are created in batches, and once for identical passages', async () => {
    const more = Array.from({ length: 80 }, (_, number) => ({
      ...passage(10 + number, `Text ${number >> 1}`),
      digest: `more-${number >> 1}`,
    }));
    expect(await embedPassages(modelsOf('embedder'), store, [...passages, ...more])).toBe(43);
    expect(await embedPassages(modelsOf('embedder'), store, [...passages, ...more])).toBe(0);
  });

  it('are deleted in batches when one statement cannot name all passages', async () => {
    const many = Array.from({ length: 200 }, (_, number) => passage(number, `Text ${number}`));
    await embedPassages(modelsOf('embedder'), store, many);
    await store.keepOnly(new Set(['d7']));
    expect([...(await store.of('openai:embedder')).keys()].length).toBeGreaterThan(0);
    const fresh = await new D1Vectors(env.DB).of('openai:embedder');
    expect([...fresh.keys()]).toEqual(['d7']);
  });

  it('of another model are not compared', async () => {
    await embedPassages(modelsOf('embedder'), store, passages);
    expect((await store.of('openai:another')).size).toBe(0);
  });

  it('omit passages with average similarity, on any scale that the model uses', async () => {
    // Some real models also report high similarities for unrelated texts.
    const similar = (text: string) => [
      1,
      1,
      /elephant/.test(text) ? 1 : 0,
      text.startsWith('Post') ? 0 : 0.5,
    ];
    const ai = {
      run: async (_: string, { text }: { text?: string[] }) => ({ data: text!.map(similar) }),
    };
    const models = new Models([new WorkersAi(ai as never)]);
    await embedPassages(models, store, passages);
    const unrelated = await find('who painted the Mona Lisa', models);
    expect(unrelated).toEqual({ passages: [], retrieval: 'lexical' });
    const found = await find('an elephant, please', models);
    expect([found.retrieval, pathsOf(found)]).toEqual(['hybrid', ['/blog/0']]);
  });

  it('find a passage that shares no word with the query', async () => {
    const ai = {
      run: async (_: string, { text }: { text?: string[] }) => ({
        data: text!.map((each) => [
          /elephant|pachyderm/.test(each) ? 1 : 0,
          /submarine/.test(each) ? 1 : 0,
          0.1,
        ]),
      }),
    };
    const models = new Models([new WorkersAi(ai as never)]);
    await embedPassages(models, store, passages);
    const found = await find('pachyderm', models);
    expect([found.retrieval, pathsOf(found)]).toEqual(['vector', ['/blog/0']]);
  });

  it('are optional: without a model or its answer, search uses keywords', async () => {
    expect(await embedPassages(new Models([]), store, passages)).toBe(0);
    expect(await embedPassages(modelsOf('error'), store, passages)).toBe(0);
    for (const models of [new Models([]), modelsOf('error')]) {
      const found = await find('elephants', models);
      expect([found.retrieval, pathsOf(found)]).toEqual(['lexical', ['/blog/0']]);
    }
  });

  it('are optional: search works while the database is down', async () => {
    store.of = () => Promise.reject(new Error('D1_ERROR: down'));
    const found = await find('elephants');
    expect([found.retrieval, pathsOf(found)]).toEqual(['lexical', ['/blog/0']]);
  });
});

describe('a failing embedding model', () => {
  it('is retried after a minute, not on every query', async () => {
    let requested = 0;
    const ai = {
      async run() {
        requested += 1;
        throw new Error('3040: out of capacity');
      },
    };
    const models = new Models([new WorkersAi(ai as never)]);
    const embed = embedWith(models, call);
    expect(await embed('one')).toBeNull();
    const before = requested;
    expect(await embed('two')).toBeNull();
    expect(requested).toBe(before);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    expect(await embed('three')).toBeNull();
    expect(requested).toBeGreaterThan(before);
    vi.restoreAllMocks();
  });
});
