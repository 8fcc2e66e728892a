import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyMigrations } from '../../test/support/apply-migrations.ts';
import { modelsOf } from '../../test/support/models.ts';
import { embedPassages, embedWith } from '../content/embed-passages.ts';
import { search } from '../content/search.ts';
import { type ContentState, idOf } from '../core/content.ts';
import type { VectorStore } from '../core/passage-index.ts';
import { D1Content } from './d1-content.ts';
import { D1Passages } from './d1-passages.ts';
import { D1Vectors } from './d1-vectors.ts';
import { Models } from './models.ts';
import { type VectorizeBinding, VectorizeVectors } from './vectorize.ts';
import { WorkersAi } from './workers-ai.ts';

const TEXTS = ['purple elephants trumpet loudly', 'quiet submarines travel beneath', 'nothing'];

/** Vectorize as its documentation has it: cosine over one namespace, the best first, at most 100. */
class StandInIndex implements VectorizeBinding {
  readonly kept = new Map<string, { values: number[]; namespace: string }>();
  down = false;

  async upsert(vectors: { id: string; values: number[]; namespace: string }[]) {
    if (this.down) throw new Error('VECTOR_UPSERT_ERROR (code = 40010)');
    for (const { id, values, namespace } of vectors) {
      if (id.length > 64 || namespace.length > 64) throw new Error('too long');
      this.kept.set(id, { values, namespace });
    }
    return { mutationId: '0f1e' };
  }

  async deleteByIds(ids: string[]) {
    for (const id of ids) this.kept.delete(id);
    return { mutationId: '0f1f' };
  }

  async query(vector: number[], { topK, namespace }: { topK: number; namespace: string }) {
    if (this.down) throw new Error('VECTOR_QUERY_ERROR (code = 40025)');
    if (topK > 100) throw new Error('VECTOR_QUERY_ERROR (code = 40025): too many');
    const score = (values: number[]) =>
      values.reduce((sum, value, at) => sum + value * vector[at]!, 0) /
      (Math.hypot(...values) * Math.hypot(...vector) || 1);
    const matches = [...this.kept]
      .filter(([, kept]) => kept.namespace === namespace)
      .map(([id, { values }]) => ({ id, score: score(values) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, topK);
    return { count: matches.length, matches };
  }
}

let state: ContentState;
let index: StandInIndex;
const stores: [name: string, make: () => VectorStore][] = [
  ['D1', () => new D1Vectors(env.DB)],
  ['Vectorize', () => new VectorizeVectors(index, env.DB)],
];

beforeAll(() => applyMigrations(env.DB));

beforeEach(async () => {
  index = new StandInIndex();
  const run = (sql: string, ...values: (string | number)[]) => env.DB.prepare(sql).bind(...values);
  await env.DB.batch([
    ...['documents', 'passages', 'passages_fts', 'passage_vectors', 'content_state'].map((table) =>
      run(`DELETE FROM ${table}`),
    ),
    ...TEXTS.flatMap((text, number) => [
      run(
        "INSERT INTO documents VALUES (?, ?, 'Blog', ?, '', '[]', '2026', '2026', '')",
        idOf(1, number),
        `/blog/${number}`,
        `Post ${number}`,
      ),
      run(
        "INSERT INTO passages VALUES (?, ?, ?, '', '', ?)",
        idOf(1, number),
        idOf(1, number),
        `d${number}`,
        text,
      ),
      run(
        "INSERT INTO passages_fts (rowid, title, heading, text, also) VALUES (?, ?, '', ?, '')",
        idOf(1, number),
        `Post ${number}`,
        text,
      ),
    ]),
    run("INSERT INTO content_state VALUES (1, 1, 'digest', 3, '', 0)"),
  ]);
  state = (await new D1Content(env.DB).state())!;
});

const call = { signal: new AbortController().signal, spend: () => {} };
const find = (query: string, vectors: VectorStore, models = modelsOf('embedder')) =>
  search(query, 5, {
    index: new D1Passages(env.DB, async () => state),
    vectors,
    embed: embedWith(models, call),
  });

describe.each(stores)('vectors in %s', (_, make) => {
  it('are made of every passage once, and found by nearness', async () => {
    const store = make();
    expect(await embedPassages(modelsOf('embedder'), store, state)).toBe(3);
    expect(await embedPassages(modelsOf('embedder'), store, state)).toBe(0);
    const { passages, retrieval } = await find('elephants that trumpet', store);
    expect(retrieval).toBe('hybrid');
    expect(passages.map(({ passage }) => passage.path)).toEqual(['/blog/0']);
  });

  it('are made anew of what has changed only', async () => {
    const store = make();
    await embedPassages(modelsOf('embedder'), store, state);
    await env.DB.prepare("UPDATE passages SET digest = 'new' WHERE digest = 'd1'").run();
    expect(await embedPassages(modelsOf('embedder'), store, state)).toBe(1);
  });

  it('are made of more passages than a batch takes, and once of the same text', async () => {
    const insert = env.DB.prepare("INSERT INTO passages VALUES (?, ?, ?, '', '', ?)");
    await env.DB.batch(
      Array.from({ length: 80 }, (_, number) =>
        insert.bind(idOf(1, 10 + number), idOf(1, 0), `more-${number >> 1}`, `Text ${number >> 1}`),
      ),
    );
    const store = make();
    expect(await embedPassages(modelsOf('embedder'), store, state)).toBe(3 + 40);
    expect(await embedPassages(modelsOf('embedder'), store, state)).toBe(0);
  });

  it('of passages that are gone are forgotten', async () => {
    const store = make();
    await embedPassages(modelsOf('embedder'), store, state);
    await env.DB.prepare("DELETE FROM passages WHERE digest = 'd1'").run();
    await store.cleanUp();
    const { results } = await env.DB.prepare(
      'SELECT digest FROM passage_vectors ORDER BY digest',
    ).all();
    expect(results).toEqual([{ digest: 'd0' }, { digest: 'd2' }]);
    if (index.kept.size > 0) expect([...index.kept.keys()].sort()).toEqual(['d0', 'd2']);
  });

  it('of another model are not compared', async () => {
    const store = make();
    await embedPassages(modelsOf('embedder'), store, state);
    const near = await store.nearest(
      { model: 'openai:another', vector: Array(256).fill(1) },
      state,
      [],
      10,
    );
    expect(near).toEqual([]);
  });

  it('leave out what a model finds no more alike than questions about something else', async () => {
    // To this one, as to some real ones, any two texts are alike.
    const alike = (text: string) => [
      1,
      1,
      /elephant/.test(text) ? 1 : 0,
      text.startsWith('Post') ? 0 : 0.5,
    ];
    const ai = {
      run: async (_: string, { text }: { text?: string[] }) => ({ data: text!.map(alike) }),
    };
    const models = new Models([new WorkersAi(ai as never)]);
    const store = make();
    await embedPassages(models, store, state);
    expect(await find('who painted the Mona Lisa', store, models)).toEqual({
      passages: [],
      retrieval: 'lexical',
    });
    const { passages, retrieval } = await find('an elephant, please', store, models);
    expect(retrieval).toBe('hybrid');
    expect(passages.map(({ passage }) => passage.path)).toEqual(['/blog/0']);
  });

  it('count for nothing until the floor of their model is known', async () => {
    const store = make();
    await embedPassages(modelsOf('embedder'), store, state);
    await env.DB.prepare('DELETE FROM likeness_floors').run();
    expect((await find('elephants that trumpet', store)).retrieval).toBe('lexical');
    await embedPassages(modelsOf('embedder'), store, state);
    expect((await find('elephants that trumpet', store)).retrieval).toBe('hybrid');
  });

  it('are done without where there is no model, or none that answers', async () => {
    const store = make();
    expect(await embedPassages(new Models([]), store, state)).toBe(0);
    expect(await embedPassages(modelsOf('error'), store, state)).toBe(0);
    for (const models of [new Models([]), modelsOf('error')]) {
      const { passages, retrieval } = await find('elephants', store, models);
      expect(retrieval).toBe('lexical');
      expect(passages).toHaveLength(1);
    }
  });
});

describe('a model that fails', () => {
  it('is not asked again by every question, but a minute later', async () => {
    let asked = 0;
    const ai = {
      async run() {
        asked += 1;
        throw new Error('3040: out of capacity');
      },
    };
    const models = new Models([new WorkersAi(ai as never)]);
    const embed = embedWith(models, call);
    expect(await embed('one')).toBeNull();
    const before = asked;
    expect(await embed('two')).toBeNull();
    expect(asked).toBe(before);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    expect(await embed('three')).toBeNull();
    expect(asked).toBeGreaterThan(before);
    vi.restoreAllMocks();
  });
});

describe('Vectorize', () => {
  it('gives passages of the version that answers only', async () => {
    const store = new VectorizeVectors(index, env.DB);
    await embedPassages(modelsOf('embedder'), store, state);
    await env.DB.prepare('DELETE FROM passages WHERE id = ?').bind(idOf(1, 0)).run();
    expect((await find('elephants trumpet', store)).passages).toEqual([]);
  });

  it('notes no vector that it refused, so that the next run makes it', async () => {
    const store = new VectorizeVectors(index, env.DB);
    index.down = true;
    expect(await embedPassages(modelsOf('embedder'), store, state)).toBe(0);
    index.down = false;
    expect(await embedPassages(modelsOf('embedder'), store, state)).toBe(3);
  });

  it('is done without while it does not answer', async () => {
    const store = new VectorizeVectors(index, env.DB);
    await embedPassages(modelsOf('embedder'), store, state);
    index.down = true;
    const { passages, retrieval } = await find('elephants', store);
    expect([passages.length, retrieval]).toEqual([1, 'lexical']);
  });

  it('works with vectors of Workers AI', async () => {
    const asked: string[][] = [];
    const ai = {
      async run(model: string, { text }: { text?: string[] }) {
        expect(model).toBe('@cf/baai/bge-m3');
        asked.push(text!);
        return {
          shape: [text!.length, 3],
          data: text!.map((each) => [
            /elephant/.test(each) ? 1 : 0,
            /submarine/.test(each) ? 1 : 0,
            0.1,
          ]),
        };
      },
    };
    const store = new VectorizeVectors(index, env.DB);
    const models = new Models([new WorkersAi(ai as never)]);
    expect(await embedPassages(models, store, state)).toBe(3);
    const { passages, retrieval } = await find('where do submarines go', store, models);
    expect(retrieval).toBe('hybrid');
    expect(passages[0]?.passage.path).toBe('/blog/1');
    expect(asked.at(-1)).toEqual(['where do submarines go']);
  });
});
