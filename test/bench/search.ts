/** Compares the quality of search with plain BM25, and measures requests for a listing that the client has cached. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocuments } from '../../scripts/content/sources.ts';
import { type RunningWorker, startWorker } from '../../scripts/worker.ts';
import { plainBm25 } from '../search/plain-bm25.ts';
import {
  answerable,
  ndcgAt10,
  offTopic,
  type Question,
  type QuestionFile,
  readQuestions,
  recallAt5,
} from '../search/questions.ts';
import { startTestWorker } from '../support/test-worker.ts';
import { BARE_WORKER, SETTINGS } from './rate.ts';
import { atMost, median, type Row } from './row.ts';
import { wrk } from './wrk.ts';

/** The variables that configure the embedding model of `npm run bench`. */
const MODEL_VARIABLES = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'MODEL_EMBED'];

export async function searchRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-search-'));
  try {
    const rows = await withWorker(join(folder, 'words'), {}, async (worker) => [
      ...(await qualityRows(worker, 'words')),
      await listingRow(worker, folder),
    ]);
    if (process.env.MODEL_EMBED) rows.push(...(await modelRows(join(folder, 'model'))));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function withWorker<T>(
  stateDir: string,
  variables: Record<string, string>,
  use: (worker: RunningWorker) => Promise<T>,
): Promise<T> {
  const worker = await startWorker({ ...SETTINGS, RATE_LIMITS: 'off', ...variables }, stateDir);
  try {
    return await use(worker);
  } finally {
    await worker.stop();
  }
}

/** Measures the quality with the configured embedding model. First runs the scheduled job that creates the vectors. */
function modelRows(stateDir: string): Promise<Row[]> {
  const given = MODEL_VARIABLES.flatMap((name) =>
    process.env[name] ? [[name, process.env[name]]] : [],
  );
  return withWorker(stateDir, Object.fromEntries(given), async (worker) => {
    const { scheduled } = await worker.miniflare.getWorker().then((it) => ({
      scheduled: () => it.scheduled({ cron: '*/15 * * * *', scheduledTime: new Date() }),
    }));
    await scheduled();
    return qualityRows(worker, `with ${process.env.MODEL_EMBED}`);
  });
}

async function searchFor({ url }: RunningWorker, query: string): Promise<string[]> {
  const response = await fetch(new URL('/api/v1/search', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, topK: 10 }),
  });
  if (!response.ok) throw new Error(`search answered ${response.status}: ${await response.text()}`);
  const { passages } = (await response.json()) as { passages: { path: string }[] };
  return passages.map(({ path }) => path);
}

/**
 * Compares recall and gain with those of plain BM25, for each question file. Reworded questions are also counted
 * separately.
 */
async function qualityRows(worker: RunningWorker, way: string): Promise<Row[]> {
  const documents = readDocuments();
  const bm25 = plainBm25(documents);
  const rows: Row[] = [];
  for (const file of ['tuning', 'held-out'] satisfies QuestionFile[]) {
    const questions = answerable(
      readQuestions(file),
      documents.map(({ path }) => path),
    );
    const found = new Map<Question, [ours: string[], theirs: string[]]>();
    for (const question of questions) {
      found.set(question, [await searchFor(worker, question.text), bm25(question.text)]);
    }
    for (const [kind, least] of [
      ['all', 0.85],
      ['reworded', 0.7],
    ] as const) {
      const some = questions.filter((question) => kind === 'all' || question.kind === kind);
      const mean = (side: 0 | 1, measure: typeof recallAt5) =>
        some.reduce((sum, each) => sum + measure(each, found.get(each)![side]), 0) / some.length;
      const name = `${way}, ${some.length} ${file}, ${kind}`;
      rows.push(
        figure(
          `${name}: recall@5`,
          mean(0, recallAt5),
          mean(1, recallAt5),
          (ours) => ours >= least,
          `≥ ${least}`,
        ),
        figure(
          `… nDCG@10 / plain BM25`,
          mean(0, ndcgAt10),
          mean(1, ndcgAt10),
          (ours, theirs) => ours >= theirs + 0.05,
          '+ 0.05',
        ),
      );
    }
    rows.push(await silenceRow(worker, way, file));
  }
  return rows;
}

/** Counts the off-topic questions for which the search finds no passage. */
async function silenceRow(worker: RunningWorker, way: string, file: QuestionFile): Promise<Row> {
  const questions = offTopic(file);
  let silent = 0;
  for (const question of questions)
    if ((await searchFor(worker, question)).length === 0) silent += 1;
  return {
    name: `${way}, off topic, ${file}: no passage`,
    ours: `${silent} of ${questions.length}`,
    theirs: '',
    ratio: '',
    goal: '≥ 90 %',
    reached: silent >= 0.9 * questions.length,
  };
}

const figure = (
  name: string,
  ours: number,
  theirs: number,
  isReached: (ours: number, theirs: number) => boolean,
  goal: string,
): Row => ({
  name,
  ours: ours.toFixed(3),
  theirs: theirs.toFixed(3),
  ratio: (ours / theirs).toFixed(2),
  goal,
  reached: isReached(ours, theirs),
});

/** Compares the time of a listing request that gets a 304 with the time of a call to the bare Hono route. */
async function listingRow({ url }: RunningWorker, folder: string): Promise<Row> {
  const listing = new URL('/api/v1/content', url);
  const etag = (await fetch(listing)).headers.get('etag')!;
  const bare = await startTestWorker(BARE_WORKER, join(folder, 'bare'));
  const script = `wrk.method = "GET"\nwrk.body = nil\nwrk.headers["If-None-Match"] = [==[${etag}]==]`;
  const load = { folder, connections: 16, seconds: 3 };
  const call = new URL('/api/v1/tools/execute', bare.url);
  const body = { tool: 'encode_base64', parameters: { text: 'hello world' } };
  const times: [ours: number[], theirs: number[]] = [[], []];
  for (let round = 0; round < 4; round += 1) {
    const ours = await wrk(listing, {}, { ...load, script });
    const theirs = await wrk(call, body, load);
    // The first round is a warm-up.
    if (round === 0) continue;
    times[0].push(1e6 / ours.rate);
    times[1].push(1e6 / theirs.rate);
  }
  await bare.stop();
  return atMost(
    'listing by its ETag / bare Hono route',
    median(times[0]),
    median(times[1]),
    1.2,
    'µs',
  );
}
