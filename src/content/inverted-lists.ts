/** Vectors divided into lists around centroids, so that a search looks into few of them (k-means by cosine). */

import { cosine, quantise } from '../lib/vectors.ts';
import { generator } from './latent.ts';

export interface InvertedLists {
  centroids: Int8Array[];
  /** Indexes of the vectors, by list. */
  lists: number[][];
}

/** Vectors a list, on average. */
const LIST_SIZE = 256;
const ROUNDS = 5;
const MOST_LEARNT = 8000;

export function divide(vectors: readonly Int8Array[]): InvertedLists {
  const number = Math.max(1, Math.round(vectors.length / LIST_SIZE));
  if (number === 1) {
    return { centroids: [meanOf(vectors, vectors)], lists: [vectors.map((_, index) => index)] };
  }
  const random = generator(7);
  const sample =
    vectors.length <= MOST_LEARNT
      ? vectors
      : Array.from({ length: MOST_LEARNT }, () => vectors[Math.floor(random() * vectors.length)]!);
  let centroids = Array.from(
    { length: number },
    () => sample[Math.floor(random() * sample.length)]!,
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const members: Int8Array[][] = centroids.map(() => []);
    for (const vector of sample) members[nearest(vector, centroids)]!.push(vector);
    centroids = members.map((group) => meanOf(group, sample));
  }
  const lists: number[][] = centroids.map(() => []);
  for (const [index, vector] of vectors.entries()) lists[nearest(vector, centroids)]!.push(index);
  return { centroids, lists };
}

function nearest(vector: Int8Array, centroids: readonly Int8Array[]): number {
  let [best, most] = [0, -2];
  for (const [index, centroid] of centroids.entries()) {
    const likeness = cosine(vector, centroid);
    if (likeness > most) [best, most] = [index, likeness];
  }
  return best;
}

/** The direction of a group; of an empty one, of any vector. */
function meanOf(group: readonly Int8Array[], all: readonly Int8Array[]): Int8Array {
  const sum = new Float32Array((group[0] ?? all[0])?.length ?? 0);
  for (const vector of group.length > 0 ? group : all.slice(0, 1)) {
    const length = Math.hypot(...vector) || 1;
    for (const [index, value] of vector.entries()) sum[index]! += value / length;
  }
  return quantise(sum);
}
