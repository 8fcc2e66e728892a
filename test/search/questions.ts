/** Provides the judged questions, and metrics for the quality of a ranking. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Question {
  /** A `reworded` question avoids the nouns of the document that answers it. */
  kind: 'plain' | 'reworded';
  text: string;
  /**
   * The grade of each judged unit. A unit is a path, or the name of a tool, which stands for both the tool's document
   * and its page.
   */
  grades: Map<string, number>;
}

export type QuestionFile = 'tuning' | 'held-out';

/** The grade of a document that fully answers the question. */
const ANSWERS = 3;

const linesOf = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));

export function readQuestions(name: QuestionFile): Question[] {
  return linesOf(name).map((line) => {
    const [kind, text, grades] = line.split(' | ');
    if ((kind !== 'plain' && kind !== 'reworded') || !text || !grades) {
      throw new Error(`The line must have the form "kind | question | grades": ${line}`);
    }
    return { kind, text, grades: new Map(grades.trim().split(/\s+/).map(gradeOf)) };
  });
}

/** Returns questions that no document answers. */
export const offTopic = (name: QuestionFile): string[] =>
  linesOf('off-topic').flatMap((line) => {
    const [file, text] = line.split(' | ');
    return file === name ? [text!] : [];
  });

function gradeOf(pair: string): [string, number] {
  const [, name, grade] = /^(\S+):([123])$/.exec(pair) ?? [];
  if (!name)
    throw new Error(
      `The grade must have the form "document:1", with a number from 1 to 3: ${pair}`,
    );
  return [name, Number(grade)];
}

/** Returns the judged unit of a path. The document and the page of a tool are one unit. */
export const unitOf = (path: string): string =>
  /^\/(?:docs\/)?tools\/([^/]+)$/.exec(path)?.[1] ?? path;

/** Returns the questions that an existing document answers. */
export function answerable(questions: readonly Question[], paths: readonly string[]): Question[] {
  const units = new Set(paths.map(unitOf));
  return questions
    .map((question) => ({
      ...question,
      grades: new Map([...question.grades].filter(([unit]) => units.has(unit))),
    }))
    .filter(({ grades }) => [...grades.values()].includes(ANSWERS));
}

/** Lists each unit once, at the position of its first path. */
const unitsOf = (paths: readonly string[]): string[] => [...new Set(paths.map(unitOf))];

/** Returns the share of the answering documents that are in the first five results. */
export function recallAt5({ grades }: Question, paths: readonly string[]): number {
  const answers = [...grades].filter(([, grade]) => grade === ANSWERS).map(([unit]) => unit);
  const first = unitsOf(paths).slice(0, 5);
  return answers.filter((unit) => first.includes(unit)).length / answers.length;
}

/**
 * Returns the normalized discounted cumulative gain of the first ten results (Järvelin and Kekäläinen 2002; gains
 * 2^grade − 1).
 */
export function ndcgAt10({ grades }: Question, paths: readonly string[]): number {
  const gains = unitsOf(paths).map((unit) => grades.get(unit) ?? 0);
  const ideal = [...grades.values()].sort((one, other) => other - one);
  return discounted(gains) / discounted(ideal);
}

const discounted = (grades: readonly number[]): number =>
  grades.slice(0, 10).reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
