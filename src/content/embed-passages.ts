/**
 * Computes embeddings if a model is configured. A question is embedded during its request, and passages are embedded in
 * a scheduled job.
 */
import type { Passage } from '../core/content.ts';
import { ToolError } from '../core/errors.ts';
import type { ModelCall, ModelsPort } from '../core/models-port.ts';
import type { VectorStore } from '../core/vector-store.ts';
import { log } from '../lib/log.ts';
import type { Embed } from './search.ts';
import { quantize } from './similarity.ts';

/** The time limit for embedding a question, in milliseconds. If the model takes longer, the search uses only words. */
const QUESTION_MS = 3000;
/**
 * How long a model is skipped for questions after it has failed, in milliseconds. Without this pause, every question
 * would wait for the model again.
 */
const PAUSE_MS = 60_000;
const pausedUntil = new WeakMap<ModelsPort, number>();

const BATCH = 32;
/**
 * The time limit of a run, in milliseconds. It is shorter than the cron job's interval (15 minutes). The next run
 * embeds the remaining passages.
 */
const RUN_MS = 600_000;

/**
 * Returns a function that embeds a question. The function returns null if no model responds, and throws only if the
 * caller has disconnected.
 */
export const embedWith =
  (models: ModelsPort, call: ModelCall): Embed =>
  async (query) => {
    if (Date.now() < (pausedUntil.get(models) ?? 0)) return null;
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(QUESTION_MS)]);
    try {
      return await embedOne(models, query, { ...call, signal });
    } catch (error) {
      call.signal.throwIfAborted();
      if (!isUnconfigured(error)) {
        pausedUntil.set(models, Date.now() + PAUSE_MS);
        log('warn', 'question-not-embedded', { cause: error });
      }
      return null;
    }
  };

const isUnconfigured = (error: unknown) => error instanceof ToolError && error.status === 501;

async function embedOne(models: ModelsPort, text: string, call: ModelCall) {
  const { vectors, provider, model } = await models.embed([text], call);
  return { model: `${provider}:${model}`, vector: vectors[0]! };
}

/**
 * Embeds the passages that have no vector from the current model, and deletes the vectors of removed passages. Returns
 * the number of new vectors. Passages that fail are left for the next run.
 */
export async function embedPassages(
  models: ModelsPort,
  store: VectorStore,
  passages: readonly Passage[],
): Promise<number> {
  const byDigest = new Map(passages.map((passage) => [passage.digest, passage]));
  let done = 0;
  try {
    await store.keepOnly(new Set(byDigest.keys()));
    const call: ModelCall = { signal: AbortSignal.timeout(RUN_MS), spend: () => {} };
    const { model } = await embedOne(models, 'search', call);
    const known = await store.of(model);
    const missing = [...byDigest.values()].filter(({ digest }) => !known.has(digest));
    for (let at = 0; at < missing.length; at += BATCH) {
      const batch = missing.slice(at, at + BATCH);
      const answer = await models.embed(batch.map(embeddedText), call);
      const answered = `${answer.provider}:${answer.model}`;
      await store.put(
        answered,
        new Map(batch.map(({ digest }, index) => [digest, quantize(answer.vectors[index]!)])),
      );
      done += batch.length;
      // A different model responded. Vectors from different models cannot be compared, so the remaining passages wait
      // for the first model.
      if (answered !== model) break;
    }
  } catch (error) {
    if (!isUnconfigured(error)) {
      log('warn', 'embedding-failed', { cause: error });
    }
  }
  return done;
}

export const embeddedText = ({
  title,
  heading,
  text,
}: Pick<Passage, 'title' | 'heading' | 'text'>): string => `${title}\n${heading}\n${text}`;
