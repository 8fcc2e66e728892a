/** Asks the embedding model, where there is one: for questions while they are answered, for passages by the clock. */
import type { ContentState } from '../core/content.ts';
import { ToolError } from '../core/errors.ts';
import type { ModelCall, ModelsPort } from '../core/models-port.ts';
import type { VectorStore } from '../core/passage-index.ts';
import { learnFloor, UNRELATED } from './learn-floor.ts';
import type { Embed } from './search.ts';

/** A question does without the model when it takes longer. */
const PATIENCE_MS = 3000;
/** How long questions do without a model that failed: each would wait for it again. */
const REST_MS = 60_000;
const restingUntil = new WeakMap<ModelsPort, number>();

const BATCH = 32;
/** Of one run; the next one goes on. Three calls of other services each, of which the platform gives a run a thousand. */
const MOST_BATCHES = 200;
/** The clock comes every 15 minutes. */
const RUN_MS = 600_000;

/** Embeds a question; null where no model answers: then words alone must do. */
export const embedWith =
  (models: ModelsPort, call: ModelCall): Embed =>
  async (query) => {
    if (Date.now() < (restingUntil.get(models) ?? 0)) return null;
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      return await embedOne(models, query, { ...call, signal });
    } catch (error) {
      call.signal.throwIfAborted();
      if (!isWithoutModel(error)) {
        restingUntil.set(models, Date.now() + REST_MS);
        console.warn(JSON.stringify({ event: 'question-not-embedded', message: String(error) }));
      }
      return null;
    }
  };

/** 501: no model is configured, which is a way to run this service. */
const isWithoutModel = (error: unknown) => error instanceof ToolError && error.status === 501;

async function embedOne(models: ModelsPort, text: string, call: ModelCall) {
  const { vectors, provider, model } = await models.embed([text], call);
  return { model: `${provider}:${model}`, vector: vectors[0]! };
}

/**
 * Embeds the passages of this version that have no vector of the model in use yet. Gives their number. What fails is
 * left for the next run; what is unchanged since an earlier version has its vector already.
 */
export async function embedPassages(
  models: ModelsPort,
  store: VectorStore,
  state: ContentState,
): Promise<number> {
  const call: ModelCall = { signal: AbortSignal.timeout(RUN_MS), spend: () => {} };
  let done = 0;
  let last = 0;
  try {
    const { model } = await embedOne(models, 'search', call);
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const found = await store.missing(model, state, last, BATCH);
      if (found.length === 0) break;
      last = found.at(-1)!.id;
      const missing = [...new Map(found.map((each) => [each.digest, each])).values()];
      const answer = await models.embed(
        missing.map(({ text }) => text),
        call,
      );
      const answered = `${answer.provider}:${answer.model}`;
      await store.put(
        answered,
        missing.map(({ digest }, index) => ({ digest, vector: answer.vectors[index]! })),
      );
      done += missing.length;
      // Another model has stepped in: the first one's vectors are made when it is back.
      if (answered !== model) break;
    }
    if (!(await store.hasFloor(model, state))) {
      const { vectors, provider, model: name } = await models.embed(UNRELATED, call);
      if (`${provider}:${name}` === model) await learnFloor(model, vectors, store, state);
    }
  } catch (error) {
    if (!isWithoutModel(error)) {
      console.warn(JSON.stringify({ event: 'embedding-failed', message: String(error) }));
    }
  }
  return done;
}
