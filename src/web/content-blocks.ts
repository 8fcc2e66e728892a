/** Decides which blocks of a page are its main content, and joins these blocks. */
import type { CellBlock } from './content-table.ts';

/** The minimum number of characters of main content. A shorter `article` or `main` usually contains only a teaser. */
export const MIN_TEXT = 250;
/**
 * The maximum fraction of a block's text that may be in links. If no `article` or `main` has enough text, blocks with a
 * larger fraction count as navigation.
 */
const MAX_LINKED = 0.5;
/** The minimum number of characters outside links in a paragraph. Shorter blocks may be captions or buttons. */
const MIN_PARAGRAPH = 80;

export interface Block extends CellBlock {
  /** The number of characters of text. `linked` counts only the characters inside links. */
  text: number;
  linked: number;
  /** The ordinal number of the enclosing `article` or `main` element, or 0 outside of one. */
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
 * Returns the blocks of the container with the most text outside links. If no container has enough, returns the blocks
 * that are not mostly links, without headings at the end. Forms are omitted unless they contain most of the page.
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

/**
 * Removes the blocks that are mostly links. All blocks of a list or table are kept or removed together. Single blocks
 * between paragraphs, and headings before paragraphs, are kept.
 */
function withoutLinkLists(blocks: readonly Block[]): readonly Block[] {
  const groups = groupsOf(blocks);
  const content = blocks.filter(({ group, isHeading }, at) => {
    if (groups[at]!.isContent) return true;
    const isAfter = isParagraph(blocks[at + 1]);
    return group === undefined && isAfter && (isHeading || isParagraph(blocks[at - 1]));
  });
  return content.slice(0, content.findLastIndex(({ isHeading }) => !isHeading) + 1);
}

/** A block, or adjacent blocks of the same list or table. */
class Group {
  readonly #isIntroduced: boolean;
  #text = 0;
  #linked = 0;
  #blocks = 0;
  #linkBlocks = 0;

  constructor(before: Block | undefined) {
    this.#isIntroduced =
      before !== undefined && !before.isHeading && INTRODUCTION.test(before.plain);
  }

  add({ text, linked }: Block): void {
    this.#text += text;
    this.#linked += linked;
    this.#blocks += 1;
    if (linked > text * MAX_LINKED) this.#linkBlocks += 1;
  }

  /**
   * Whether the group counts as content: most of its text is outside links, at least half of its blocks are not mostly
   * links, or a sentence announces the links.
   */
  get isContent(): boolean {
    const isText = this.#linked <= this.#text * MAX_LINKED;
    return isText || this.#linkBlocks * 2 <= this.#blocks || this.#isIntroduced;
  }
}

/** Matches a sentence that announces a list. Shorter text may be the label of a menu. */
const INTRODUCTION = /.{39}:\s*$/s;

/** Returns the group of each block. */
function groupsOf(blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1];
    const isSame = block.group !== undefined && block.group === before?.group;
    const group = isSame ? groups[at - 1]! : new Group(before);
    group.add(block);
    groups.push(group);
  }
  return groups;
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
