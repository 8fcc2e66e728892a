/** Decides which blocks of a page are its main content, and joins these blocks. */
import type { CellBlock } from './content-table.ts';

/**
 * The minimum number of characters of main content. A shorter `article` or `main` is something else, such as a teaser.
 */
export const MIN_TEXT = 250;
/**
 * The maximum fraction of a block's text that may be in links. A block outside `article` and `main` with a larger
 * fraction counts as navigation.
 */
const MAX_LINKED = 0.5;
/** The minimum number of characters of a paragraph outside links. Shorter blocks may be captions or buttons. */
const MIN_PARAGRAPH = 80;

export interface Block extends CellBlock {
  /** The number of characters of text. `linked` counts only the characters inside links. */
  text: number;
  linked: number;
  /** The ordinal number of the enclosing `article` or `main` element, or 0 if there is none. */
  container: number;
  isInForm: boolean;
  /**
   * Blocks in the same group are not separated by an empty line. The blocks of a table form a group, and so do the
   * blocks of adjacent lists.
   */
  group: number | undefined;
}

export const LIST_GROUP = 0;

/**
 * Returns the blocks of the container with the most text. If no container has enough text, returns the blocks that are
 * not mostly links, without headings at the end.
 */
export function chosenBlocks(all: readonly Block[]): readonly Block[] {
  const inForms = all.filter(({ isInForm }) => isInForm);
  // Some servers wrap the whole page in a form. In that case, blocks in forms are not removed.
  const isWrapped = textOf(inForms) * 2 > textOf(all);
  const blocks = isWrapped ? all : all.filter(({ isInForm }) => !isInForm);
  const texts = new Map<number, number>();
  for (const { container, text, linked } of blocks) {
    texts.set(container, (texts.get(container) ?? 0) + text - linked);
  }
  texts.delete(0);
  const [best] = [...texts].sort(([, one], [, other]) => other - one);
  if (best && best[1] >= MIN_TEXT) return blocks.filter(({ container }) => container === best[0]);
  return withoutLinkLists(blocks);
}

/** Removes the blocks that are mostly links. Those between paragraphs, and headings before paragraphs, stay. */
function withoutLinkLists(blocks: readonly Block[]): readonly Block[] {
  const content = blocks.filter(({ text, linked, group, isHeading }, at) => {
    if (linked <= text * MAX_LINKED) return true;
    const isAfter = isParagraph(blocks[at + 1]);
    return group === undefined && isAfter && (isHeading || isParagraph(blocks[at - 1]));
  });
  return content.slice(0, content.findLastIndex(({ isHeading }) => !isHeading) + 1);
}

const isParagraph = (block: Block | undefined) =>
  block !== undefined && !block.isHeading && block.text - block.linked >= MIN_PARAGRAPH;

const textOf = (blocks: readonly Block[]) => blocks.reduce((sum, { text }) => sum + text, 0);

export const joined = (blocks: readonly Block[]): string =>
  blocks
    .map(({ markdown, group }, at) => {
      const before = blocks[at - 1];
      if (!before) return markdown;
      return (group !== undefined && before.group === group ? '\n' : '\n\n') + markdown;
    })
    .join('');
