/**
 * Latent semantic analysis (Deerwester et al. 1990): terms and passages in few dimensions, in which words that are
 * used alike lie close to each other. Found by subspace iteration from a fixed start, so the same texts give the same.
 */

/** How often each term occurs in one passage; a heading may count more than once. */
export type Counts = ReadonlyMap<string, number>;

export interface LatentSpace {
  dimensions: number;
  /** By term; a passage or question is the weighted sum of its terms. */
  terms: Map<string, { passages: number; vector: Float32Array }>;
}

interface Row {
  columns: Int32Array;
  weights: Float32Array;
}

const ROUNDS = 8;
/** Enough to learn which words go together; the other passages are placed by what was learnt. */
const MOST_LEARNT = 6000;
const MOST_TERMS = 30_000;

export function learn(passages: readonly Counts[], wanted: number): LatentSpace {
  const frequency = new Map<string, number>();
  for (const counts of passages) {
    for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const names = [...frequency.keys()]
    .sort((one, other) => frequency.get(other)! - frequency.get(one)! || (one < other ? -1 : 1))
    .slice(0, MOST_TERMS);
  const columnOf = new Map(names.map((name, column) => [name, column]));
  const step = Math.max(1, passages.length / MOST_LEARNT);
  const rows: Row[] = [];
  for (let index = 0; index < passages.length; index += step) {
    rows.push(rowOf(passages[Math.floor(index)]!, columnOf, frequency, passages.length));
  }
  const dimensions = Math.max(1, Math.min(wanted, rows.length - 1, names.length));
  const basis = subspace(rows, names.length, dimensions);
  const terms: LatentSpace['terms'] = new Map();
  for (const [column, name] of names.entries()) {
    const idf = inverseFrequency(frequency.get(name)!, passages.length);
    const vector = basis.slice(column * dimensions, (column + 1) * dimensions);
    terms.set(name, { passages: frequency.get(name)!, vector: vector.map((value) => value * idf) });
  }
  return { dimensions, terms };
}

/** Where a passage lies. */
export function place(counts: Counts, { dimensions, terms }: LatentSpace): Float32Array {
  const result = new Float32Array(dimensions);
  for (const [term, count] of counts) {
    const vector = terms.get(term)?.vector;
    if (!vector) continue;
    const weight = 1 + Math.log(count);
    for (let index = 0; index < dimensions; index += 1) result[index]! += weight * vector[index]!;
  }
  return result;
}

export const inverseFrequency = (containing: number, all: number): number =>
  Math.log(1 + all / containing);

function rowOf(
  counts: Counts,
  columnOf: ReadonlyMap<string, number>,
  frequency: ReadonlyMap<string, number>,
  all: number,
): Row {
  const known = [...counts].filter(([term]) => columnOf.has(term));
  const columns = Int32Array.from(known, ([term]) => columnOf.get(term)!);
  const weights = Float32Array.from(
    known,
    ([term, count]) => (1 + Math.log(count)) * inverseFrequency(frequency.get(term)!, all),
  );
  const length = Math.hypot(...weights) || 1;
  return { columns, weights: weights.map((weight) => weight / length) };
}

/** An orthonormal basis of the leading right singular vectors: one line of `dimensions` a column. */
function subspace(rows: readonly Row[], columns: number, dimensions: number): Float32Array {
  const random = generator(20_261_121);
  let basis = Float32Array.from({ length: columns * dimensions }, () => random() - 0.5);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float32Array(columns * dimensions);
    const image = new Float32Array(dimensions);
    for (const row of rows) {
      image.fill(0);
      eachWeight(row, dimensions, (weight, start) => {
        for (let index = 0; index < dimensions; index += 1) {
          image[index]! += weight * basis[start + index]!;
        }
      });
      eachWeight(row, dimensions, (weight, start) => {
        for (let index = 0; index < dimensions; index += 1) {
          next[start + index]! += weight * image[index]!;
        }
      });
    }
    orthonormalise(next, dimensions);
    basis = next;
  }
  return basis;
}

function eachWeight(
  { columns, weights }: Row,
  dimensions: number,
  visit: (weight: number, start: number) => void,
): void {
  for (let index = 0; index < columns.length; index += 1) {
    visit(weights[index]!, columns[index]! * dimensions);
  }
}

/** Gram and Schmidt, modified, over the columns of a matrix that is stored by lines. */
function orthonormalise(matrix: Float32Array, dimensions: number): void {
  const lines = matrix.length / dimensions;
  for (let column = 0; column < dimensions; column += 1) {
    for (let earlier = 0; earlier < column; earlier += 1) {
      let dot = 0;
      for (let line = 0; line < lines; line += 1) {
        dot += matrix[line * dimensions + column]! * matrix[line * dimensions + earlier]!;
      }
      for (let line = 0; line < lines; line += 1) {
        matrix[line * dimensions + column]! -= dot * matrix[line * dimensions + earlier]!;
      }
    }
    let square = 0;
    for (let line = 0; line < lines; line += 1) square += matrix[line * dimensions + column]! ** 2;
    const length = Math.sqrt(square);
    for (let line = 0; line < lines; line += 1) {
      const index = line * dimensions + column;
      matrix[index] = length > 1e-9 ? matrix[index]! / length : 0;
    }
  }
}

/** Numbers from 0 to 1 that are the same at every run (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
