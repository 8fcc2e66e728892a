/**
 * Reads the pages of a PDF as blocks. The blocks of a tagged page follow the structure tree. For other pages, the
 * better of two word orders is used.
 */

import type { PdfDocument } from '../../pdf/document.ts';
import { unlessDamaged } from '../../pdf/objects.ts';
import { type PageDrawing, pageDrawing } from '../../pdf/page-drawing.ts';
import type { Box } from '../../pdf/page-space.ts';
import { type Page, readPages } from '../../pdf/pages.ts';
import { readStructureTree, type StructuredContent } from '../../pdf/structure-tree.ts';
import type { OperationContext } from '../operation.ts';
import type { Word } from './bbox-words.ts';
import { extend } from './boxes.ts';
import { diagonalBlocks } from './diagonal-words.ts';
import { linkWords } from './linked-words.ts';
import { type Block, figureBlock, isTagged } from './page-blocks.ts';
import { blocksInDirection, verticalWords } from './page-direction.ts';
import { wordsInBothOrders } from './page-texts.ts';
import { isDrawnInOrder } from './reading-order.ts';
import { isRightToLeft } from './right-to-left.ts';
import { type StyledWord, styledWords } from './styled-words.ts';

export interface ReadPage {
  blocks: Block[];
  /** Whether the blocks follow the structure tree. */
  isTagged: boolean;
  /** Whether the text is vertical or read from right to left. */
  isTurned?: boolean;
  /** In points, or 0 if the content of the page cannot be read. */
  width: number;
  height: number;
}

/** The minimum share of the page that a figure must cover. Smaller images are decoration. */
const MIN_FIGURE = 0.01;
/** The maximum share of the page that a figure may cover. A larger image is a scan of the page itself. */
const MAX_FIGURE = 0.85;
const MAX_FIGURES = 40;

/**
 * Reads the pages of a document. The structure tree is read once for all pages. The constructor throws PdfDamage if the
 * page tree is damaged. Other damaged parts are treated as missing.
 */
export class DocumentReader {
  private readonly document: PdfDocument;
  private readonly pages: Page[];
  private readonly structure: StructuredContent | undefined;
  private readonly drawings = new Map<number, PageDrawing | undefined>();

  constructor(document: PdfDocument) {
    this.document = document;
    const pages = readPages(document);
    this.pages = pages.list;
    this.structure = unlessDamaged(() => readStructureTree(document, pages));
  }

  get hasStructure(): boolean {
    return this.structure !== undefined && this.structure.size > 0;
  }

  /** Returns the drawing of a page, or undefined if it cannot be read. Pages are counted from 0. */
  drawing(page: number): PageDrawing | undefined {
    if (!this.drawings.has(page)) {
      const found = this.pages[page];
      const drawing = found && unlessDamaged(() => pageDrawing(this.document, found));
      this.drawings.set(page, drawing);
    }
    return this.drawings.get(page);
  }

  /**
   * Returns the blocks of these pages, counted from 0. Omits pages that poppler does not list. If the list of words is
   * too large, all pages are omitted.
   */
  async read(
    path: string,
    pages: readonly number[],
    context: OperationContext,
  ): Promise<Map<number, ReadPage>> {
    const words = await wordsInBothOrders(path, pages, context);
    return new Map([...words].map(([page, orders]) => [page, this.readPage(page, orders)]));
  }

  private readPage(page: number, { found, drawn }: { found: Word[]; drawn: Word[] }): ReadPage {
    const drawing = this.drawing(page);
    // Each page is read only once, so its drawing can be removed from memory.
    this.drawings.delete(page);
    const size = { width: drawing?.width ?? 0, height: drawing?.height ?? 0 };
    const hasVerticalFont = drawing?.spans.some(({ font }) => font.isVertical) === true;
    const vertical = verticalWords(drawn, hasVerticalFont);
    const isMirrored = vertical.size === 0 && isRightToLeft(drawn);
    const read = (words: StyledWord[], isTagged: boolean) => {
      const blocks = blocksInDirection(words, { vertical, isMirrored }, drawing, isTagged);
      return {
        ...size,
        blocks: [...withFigures(blocks, drawing), ...diagonalBlocks(words)],
        isTagged,
        isTurned: vertical.size > 0 || isMirrored,
      };
    };
    if (this.structure) {
      const words = styledWords(drawn, drawing, this.structure);
      linkWords(words, drawing?.links ?? []);
      if (isTagged(words)) return read(words, true);
    }
    const order = vertical.size > 0 || isDrawnInOrder(found, drawn) ? drawn : found;
    const words = styledWords(order, drawing, undefined);
    linkWords(words, drawing?.links ?? []);
    return read(words, false);
  }
}

/** Inserts the images of a page, each before the first block below it. */
function withFigures(blocks: Block[], drawing: PageDrawing | undefined): Block[] {
  if (!drawing) return blocks;
  const area = drawing.width * drawing.height;
  const share = (box: Box) => ((box.right - box.left) * (box.bottom - box.top)) / area;
  const figures = joined(drawing.images.slice(0, MAX_FIGURES * 10)).filter(
    (box) => share(box) >= MIN_FIGURE && share(box) <= MAX_FIGURE,
  );
  const result = [...blocks];
  for (const box of figures.slice(0, MAX_FIGURES)) {
    const below = result.findIndex(
      (block) => block.top >= box.bottom - 2 && block.left < box.right && box.left < block.right,
    );
    result.splice(below < 0 ? result.length : below, 0, figureBlock(box));
  }
  return result;
}

/** Joins adjacent images, because some programs draw one image in strips. */
function joined(images: readonly Box[]): Box[] {
  const boxes: Box[] = [];
  for (const image of images) {
    const touching = boxes.find(
      (box) =>
        image.left <= box.right + 1 &&
        box.left <= image.right + 1 &&
        image.top <= box.bottom + 1 &&
        box.top <= image.bottom + 1,
    );
    if (touching) extend(touching, image);
    else boxes.push({ ...image });
  }
  return boxes;
}
