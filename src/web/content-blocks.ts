/** Decides which blocks of a page are its main content, and joins them. */
import type { CellBlock } from './content-table.ts';

/** A shorter `article` or `main`, such as a teaser, is not the main content. */
export const LEAST_TEXT = 250;
/** A block outside `article` and `main` is navigation if more than this share of its text is links. */
const MOST_LINKED = 0.5;

export interface Block extends CellBlock {
  /** The number of characters of text, and of those inside links. */
  text: number;
  linked: number;
  /** The number of the surrounding article or main element, or 0. */
  container: number;
  isInForm: boolean;
  /**
   * The group of the block. Blocks of one table, or of adjacent lists, are in one group and not separated by an empty
   * line.
   */
  group: number | undefined;
}

export const LIST_GROUP = 0;

/** Returns the blocks of the container with the most text, or else all that are not mostly links. */
export function chosenBlocks(all: readonly Block[]): readonly Block[] {
  const inForms = all.filter(({ isInForm }) => isInForm);
  // Some servers wrap the whole page in a form, so blocks in forms are then kept.
  const isWrapped = textOf(inForms) * 2 > textOf(all);
  const blocks = isWrapped ? all : all.filter(({ isInForm }) => !isInForm);
  const texts = new Map<number, number>();
  for (const { container, text, linked } of blocks) {
    texts.set(container, (texts.get(container) ?? 0) + text - linked);
  }
  texts.delete(0);
  const [best] = [...texts].sort(([, one], [, other]) => other - one);
  if (best && best[1] >= LEAST_TEXT) return blocks.filter(({ container }) => container === best[0]);
  return blocks.filter(({ text, linked }) => linked <= text * MOST_LINKED);
}

const textOf = (blocks: readonly Block[]) => blocks.reduce((sum, { text }) => sum + text, 0);

export const joined = (blocks: readonly Block[]): string =>
  blocks
    .map(({ markdown, group }, at) => {
      const before = blocks[at - 1];
      if (!before) return markdown;
      return (group !== undefined && before.group === group ? '\n' : '\n\n') + markdown;
    })
    .join('');
