/** Converts each row of a table to lines of a Markdown table or, if the row counts as layout, to blocks of the page. */

export interface CellBlock {
  /** The block as Markdown, for use outside table cells. A table cell contains `plain` instead. */
  markdown: string;
  plain: string;
  isHeading: boolean;
}

interface Cell<Each extends CellBlock> {
  blocks: Each[];
  /** The number of columns that this cell spans. */
  span: number;
}

const MAX_SPAN = 20;
/** The maximum number of columns. A wider row is not written as a table, because all rows below it would be as wide. */
const MAX_COLUMNS = 200;
/** The maximum numbers of blocks and characters in a cell. A row with a larger cell counts as layout. */
const MAX_BLOCKS = 8;
const MAX_CHARACTERS = 1000;

/** The result of a completed row. It contains either lines of a Markdown table or blocks of the page. */
export type EndedRow<Each extends CellBlock> =
  | { lines: string[]; blocks: readonly Each[] }
  | { lines: undefined; blocks: readonly Each[] };

export class ContentTable<Each extends CellBlock> {
  #row: Cell<Each>[] = [];
  #columns = 0;
  #isLayout = false;
  #isInCell = false;

  /** Whether the next blocks are inside a cell. */
  get isInCell(): boolean {
    return this.#isInCell && !this.#isLayout;
  }

  beginCell(colspan = '1'): void {
    this.#isInCell = true;
    const span = Math.min(MAX_SPAN, Math.max(1, Number.parseInt(colspan, 10) || 1));
    this.#row.push({ blocks: [], span });
  }

  endCell(): void {
    this.#isInCell = false;
  }

  add(block: Each): void {
    this.#row.at(-1)?.blocks.push(block);
  }

  /** Ends the row because another table begins in one of its cells. A table that contains tables counts as layout. */
  beginInnerTable(): EndedRow<Each> {
    this.#isLayout = true;
    return this.endRow();
  }

  endRow(): EndedRow<Each> {
    const cells = this.#row;
    this.#row = [];
    const blocks = cells.flatMap((cell) => cell.blocks);
    if (this.#isLayout || !this.#isData(cells)) {
      this.#columns = 0;
      return { lines: undefined, blocks };
    }
    const texts = cells.flatMap(({ blocks: own, span }) => [
      own.map(({ plain }) => plain.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' '),
      ...Array<string>(span - 1).fill(''),
    ]);
    while (texts.length < this.#columns) texts.push('');
    const isFirst = this.#columns === 0;
    if (isFirst) this.#columns = texts.length;
    const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
    return { lines: [line(texts), ...(isFirst ? [line(texts.map(() => '---'))] : [])], blocks };
  }

  #isData(cells: readonly Cell<Each>[]): boolean {
    if (cells.reduce((sum, { span }) => sum + span, 0) > MAX_COLUMNS) return false;
    const filled = cells.filter(({ blocks }) => blocks.length > 0);
    if (filled.length < (this.#columns > 0 ? 1 : 2)) return false;
    return filled.every(
      ({ blocks }) =>
        blocks.length <= MAX_BLOCKS &&
        !blocks.some(({ isHeading }) => isHeading) &&
        blocks.reduce((sum, { plain }) => sum + plain.length, 0) <= MAX_CHARACTERS,
    );
  }
}
