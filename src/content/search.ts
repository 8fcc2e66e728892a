/** Search: full text and the latent space, and a model's vectors where there are some, fused into one order. */
import type { ContentState, FoundPassage } from '../core/content.ts';
import type { IndexedTerm, PassageIndex, VectorIndex } from '../core/passage-index.ts';
import { cosine } from '../lib/vectors.ts';
import { commonShare } from './in-common.ts';
import { inverseFrequency } from './latent.ts';
import { contentWords, termsOf } from './terms.ts';

/** How passages were found: by a model's vectors, by words, or by both. */
export type Retrieval = 'vector' | 'hybrid' | 'lexical';

export interface Scored {
  passage: FoundPassage;
  /** From 0 to 1. */
  score: number;
}

export interface SearchResult {
  passages: Scored[];
  retrieval: Retrieval;
}

/** The question as a vector of the model whose vectors the index has; null where there is none. */
export type Embed = (query: string) => Promise<{ model: string; vector: number[] } | null>;

export interface SearchParts {
  index: PassageIndex;
  vectors: VectorIndex;
  embed: Embed;
}

/** Candidates of each way. */
const DEPTH = 60;
/** Passages that are read and scored. */
const READ = 80;
/** Lists of the latent space that are looked into. */
const PROBED = 8;
/** Passages that full text may have to rank: beyond that the most frequent words are left out. */
const MOST_MATCHES = 5000;
const MOST_WORDS = 40;
/** The constant of reciprocal rank fusion (Cormack et al. 2009). */
const RANK_CONSTANT = 60;
/** How much the latent order counts beside full text, and a model's beside both. */
const WAYS = { text: 1, latent: 1, vector: 1.5 };
/** A further passage of the same document counts for less, so that others come first. */
const REPEATED = 0.5;

export async function search(
  query: string,
  topK: number,
  { index, vectors, embed }: SearchParts,
): Promise<SearchResult> {
  const state = await index.state();
  if (!state) return { passages: [], retrieval: 'lexical' };
  const embedding = embed(query);
  // Looked at below; where reading fails first, nobody else does.
  embedding.catch(() => {});
  const asked = await read(query, state, index);
  const [text, latent] = await Promise.all([
    index.fullText(state.version, asked.words, DEPTH),
    latentOrder(asked, state, index),
  ]);
  const embedded = await embedding;
  const near = embedded
    ? await nearest(vectors, embedded, state, [...new Set([...text, ...latent])])
    : [];
  const fused = fuse([
    [text, WAYS.text],
    [latent, WAYS.latent],
    [near, WAYS.vector],
  ]);
  const byModel = new Set(near);
  const found = await index.passages([...fused.keys()].slice(0, READ));
  const most = WAYS.text + WAYS.latent + (near.length > 0 ? WAYS.vector : 0);
  const scored = found.flatMap((passage): Scored[] => {
    const common = commonShare(asked.weights, passage);
    if (common === null && !byModel.has(passage.id)) return [];
    const rank = (fused.get(passage.id)! * (RANK_CONSTANT + 1)) / most;
    return [{ passage, score: rank * (0.5 + 0.5 * (common ?? 0)) }];
  });
  return {
    passages: spread(scored).slice(0, topK),
    retrieval: near.length === 0 ? 'lexical' : text.length === 0 ? 'vector' : 'hybrid',
  };
}

/** The order by a model's vectors of what is more alike than unrelated questions are; none where the index does not answer: then words alone must do. */
async function nearest(
  vectors: VectorIndex,
  embedded: { model: string; vector: number[] },
  state: ContentState,
  candidates: readonly number[],
): Promise<number[]> {
  try {
    const [near, floor] = await Promise.all([
      vectors.nearest(embedded, state, candidates, DEPTH),
      vectors.floor(embedded.model),
    ]);
    return near.filter(({ likeness }) => floor !== null && likeness > floor).map(({ id }) => id);
  } catch (error) {
    console.warn(JSON.stringify({ event: 'vectors-failed', message: String(error) }));
    return [];
  }
}

interface Asked {
  /** For full text: unstemmed, the frequent ones left out where there are too many matches. */
  words: string[];
  /** By stem, its weight in the question. */
  weights: Map<string, number>;
  known: Map<string, IndexedTerm>;
}

async function read(query: string, state: ContentState, index: PassageIndex): Promise<Asked> {
  const words = contentWords(query).slice(0, MOST_WORDS);
  const stems = [...new Set(termsOf(words.join(' ')))];
  const known = stems.length > 0 ? await index.terms(state.version, stems) : new Map();
  const weights = new Map(
    stems.map((stem) => [stem, inverseFrequency(known.get(stem)?.passages ?? 1, state.passages)]),
  );
  return { words: affordable(words, known), weights, known };
}

/** The rarest words, as long as the passages that have them are not too many to rank. */
function affordable(words: readonly string[], known: ReadonlyMap<string, IndexedTerm>): string[] {
  const counted = words
    .map((word) => ({ word, passages: known.get(termsOf(word)[0] ?? '')?.passages ?? 1 }))
    .sort((one, other) => one.passages - other.passages);
  let matches = 0;
  return counted
    .filter(({ passages }, position) => {
      matches += passages;
      return position === 0 || matches <= MOST_MATCHES;
    })
    .map(({ word }) => word);
}

/** Ids in the order of their nearness to the question in the latent space. */
async function latentOrder(
  { known }: Asked,
  { version, centroids }: ContentState,
  index: PassageIndex,
): Promise<number[]> {
  const [first] = known.values();
  if (!first) return [];
  const size = first.vector.length;
  const query = new Float32Array(size);
  for (const { vector, scale } of known.values()) {
    for (let at = 0; at < size; at += 1) query[at]! += (vector[at]! * scale) / 127;
  }
  const lists = Array.from({ length: centroids.length / size }, (_, list) => ({
    list,
    likeness: cosine(query, centroids, list * size),
  }))
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, PROBED)
    .map(({ list }) => list);
  const likenesses = (await index.lists(version, lists)).flatMap(({ ids, vectors }) =>
    ids.map((id, at) => ({ id, likeness: cosine(query, vectors, at * size) })),
  );
  return likenesses
    .filter(({ likeness }) => likeness > 0)
    .sort((one, other) => other.likeness - one.likeness || one.id - other.id)
    .slice(0, DEPTH)
    .map(({ id }) => id);
}

/** Reciprocal rank fusion: ids with their sums, the largest first. */
function fuse(orders: readonly [ids: readonly number[], weight: number][]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [ids, weight] of orders) {
    for (const [rank, id] of ids.entries()) {
      sums.set(id, (sums.get(id) ?? 0) + weight / (RANK_CONSTANT + rank + 1));
    }
  }
  return new Map([...sums].sort(([, one], [, other]) => other - one));
}

/** In the order of the scores, where each further passage of one document has half the one before. */
function spread(scored: readonly Scored[]): Scored[] {
  const before = new Map<string, number>();
  return [...scored]
    .sort(byScore)
    .map(({ passage, score }) => {
      const repeated = before.get(passage.path) ?? 0;
      before.set(passage.path, repeated + 1);
      return { passage, score: score * REPEATED ** repeated };
    })
    .sort(byScore);
}

const byScore = (one: Scored, other: Scored) =>
  other.score - one.score || one.passage.id - other.passage.id;
