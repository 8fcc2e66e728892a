/** How alike passages are, by a model, to questions that have nothing to do with them: other models, other numbers. */
import { type ContentState, idOf } from '../core/content.ts';
import type { VectorStore } from '../core/passage-index.ts';

/** What no document of this service is about. */
export const UNRELATED = [
  'how long does a roast chicken take in the oven',
  'who was the first emperor of Rome',
  'my knee hurts when I climb stairs',
  'the best month to see the northern lights',
  'when should roses be pruned',
  'is the number nine bus late today',
  'how do bees find their way home',
  'what do I need to open a bakery',
  'tuning a violin by ear',
  'the rules of cricket in a nutshell',
  'a novel about two sisters in Naples',
  'why is the sea salty',
  'sew a button on a coat',
  'which tent is good for a family of five',
  'how many bones has a horse',
  'a poem for my grandmother on her birthday',
];
/** Passages that are compared where a store does not look at all of them. */
const SAMPLE = 90;

/** Keeps as the floor of this model the largest likeness that a passage has to any of the unrelated questions. */
export async function learnFloor(
  model: string,
  vectors: readonly (readonly number[])[],
  store: VectorStore,
  state: ContentState,
): Promise<void> {
  const sample = Array.from({ length: SAMPLE }, (_, index) =>
    idOf(state.version, Math.floor((index * state.passages) / SAMPLE)),
  );
  let floor = 0;
  for (const vector of vectors) {
    const [nearest] = await store.nearest({ model, vector }, state, sample, 1);
    floor = Math.max(floor, nearest?.likeness ?? 0);
  }
  // Rounded up: what is alike to the last digit is not more alike.
  await store.keepFloor(model, state, Math.ceil(floor * 1e4) / 1e4);
}
