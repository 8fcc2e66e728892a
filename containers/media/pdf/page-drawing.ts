/**
 * Finds the text spans and images that a page draws, in drawing order. Each span includes its font and marked content.
 * Text is measured but not decoded (ISO 32000-1, sections 8, 9 and 14.6).
 */
import { readContent } from './content.ts';
import type { PdfDocument } from './document.ts';
import { type FontMetrics, fontMetrics } from './font-metrics.ts';
import { type GraphicsState, initialState, UNKNOWN_FONT } from './graphics-state.ts';
import {
  isNamed,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfValue,
  unlessDamaged,
} from './objects.ts';
import { MAX_CONTENT_BYTES, pageContent } from './page-content.ts';
import { type PageLink, pageLinks } from './page-links.ts';
import { type Box, boxOf, IDENTITY, type Matrix, pageSpace, times } from './page-space.ts';
import type { Page } from './pages.ts';
import { PaintedShapes } from './painted-shapes.ts';
import { decodedData } from './stream-data.ts';

const MAX_SPANS = 200_000;
const MAX_DEPTH = 12;
const MAX_STATES = 512;
/** The maximum number of operators in a page and its forms. */
const MAX_OPERATORS = 5_000_000;
/** The height of letters above the baseline, as a share of the font size. */
const ASCENT = 0.8;

export interface TextSpan extends Box {
  /** The content stream and the marked-content identifier as `OBJECT:MCID`, like the keys of the structure tree. */
  content: string | undefined;
  isArtifact: boolean;
  /** The font size in points. */
  size: number;
  font: FontMetrics;
  /** The number of glyphs, without spaces in fonts with one byte per code. */
  glyphs: number;
}

export interface PageDrawing {
  spans: TextSpan[];
  images: Box[];
  shapes: Box[];
  /** The boxes of horizontal and vertical lines. */
  rules: Box[];
  /** Links to addresses outside the document (section 12.6.4.7). */
  links: PageLink[];
  width: number;
  height: number;
}

interface Mark {
  content: string | undefined;
  isArtifact: boolean;
}

/**
 * Returns what a page draws, up to the first damaged part. Throws StreamTooLarge, or PdfDamage if the content cannot be
 * decoded.
 */
export function pageDrawing(document: PdfDocument, page: Page): PageDrawing {
  const { matrix, width, height } = pageSpace(document, page, 'MediaBox');
  const links = pageLinks(document, page, matrix);
  const drawing: PageDrawing = {
    spans: [],
    images: [],
    shapes: [],
    rules: [],
    links,
    width,
    height,
  };
  const content = pageContent(document, page);
  const own = page.dictionary.get('Resources') ?? page.inherited.get('Resources');
  const interpreter = new Interpreter(document, drawing);
  const owner = page.reference.number;
  interpreter.run(content, document.dictionary(own), initialState(matrix), owner, undefined, 0);
  drawing.shapes = interpreter.painted.shapes;
  drawing.rules = interpreter.painted.rules;
  return drawing;
}

const isNumber = (value: PdfValue | undefined): value is number => typeof value === 'number';

class Interpreter {
  readonly painted = new PaintedShapes();
  private readonly document: PdfDocument;
  private readonly drawing: PageDrawing;
  private readonly fonts = new Map<PdfValue, FontMetrics>();
  private operators = 0;
  private textMatrix: Matrix = IDENTITY;
  private lineMatrix: Matrix = IDENTITY;

  constructor(document: PdfDocument, drawing: PageDrawing) {
    this.document = document;
    this.drawing = drawing;
  }

  /** Executes a content stream. `owner` is the object number of its page or form. */
  run(
    content: Uint8Array,
    resources: PdfDictionary | undefined,
    initial: GraphicsState,
    owner: number,
    mark: Mark | undefined,
    depth: number,
  ): void {
    const operators = readContent(content);
    const marks: (Mark | undefined)[] = [];
    const states: GraphicsState[] = [];
    let state = initial;
    let current = mark;
    for (;;) {
      // Readers draw everything before the damaged part, so the result includes it too.
      const next = unlessDamaged(() => operators.next());
      if (!next || next.done) return;
      const [word, operands] = next.value;
      const numberAt = (index: number) => (isNumber(operands[index]) ? operands[index] : 0);
      this.operators += 1;
      if (this.operators > MAX_OPERATORS || this.drawing.spans.length > MAX_SPANS) return;
      switch (word) {
        case 'q':
          if (states.length < MAX_STATES) states.push(state);
          state = { ...state };
          break;
        case 'Q':
          state = states.pop() ?? state;
          break;
        case 'cm':
          state = { ...state, matrix: times(matrixOf(operands), state.matrix) };
          break;
        case 'BT':
          this.textMatrix = IDENTITY;
          this.lineMatrix = IDENTITY;
          break;
        case 'Tf':
          state = { ...state, font: this.font(resources, operands[0]), size: numberAt(1) };
          break;
        case 'Tc':
          state = { ...state, characterSpacing: numberAt(0) };
          break;
        case 'Tw':
          state = { ...state, wordSpacing: numberAt(0) };
          break;
        case 'Tz':
          state = { ...state, scale: numberAt(0) / 100 };
          break;
        case 'TL':
          state = { ...state, leading: numberAt(0) };
          break;
        case 'Ts':
          state = { ...state, rise: numberAt(0) };
          break;
        case 'TD':
          state = { ...state, leading: -numberAt(1) };
          this.moveLine(numberAt(0), numberAt(1));
          break;
        case 'Td':
          this.moveLine(numberAt(0), numberAt(1));
          break;
        case 'Tm':
          this.lineMatrix = matrixOf(operands);
          this.textMatrix = this.lineMatrix;
          break;
        case 'T*':
          this.moveLine(0, -state.leading);
          break;
        case 'Tj':
          this.show([operands[0] ?? null], state, current);
          break;
        case 'TJ':
          this.show(Array.isArray(operands[0]) ? operands[0] : [], state, current);
          break;
        case "'":
        case '"':
          if (word === '"') {
            state = { ...state, wordSpacing: numberAt(0), characterSpacing: numberAt(1) };
          }
          this.moveLine(0, -state.leading);
          this.show([operands.at(-1) ?? null], state, current);
          break;
        case 'BMC':
        case 'BDC':
          marks.push(current);
          current = this.marked(operands, resources, owner, current);
          break;
        case 'EMC':
          if (marks.length > 0) current = marks.pop();
          break;
        case 'Do':
          this.draw(operands[0], resources, state, owner, current, depth);
          break;
        case 'BI':
          this.drawing.images.push(boxOf(state.matrix, 0, 0, 1, 1));
          break;
        default:
          this.painted.run(word, operands, state.matrix);
      }
    }
  }

  private moveLine(x: number, y: number): void {
    this.lineMatrix = times([1, 0, 0, 1, x, y], this.lineMatrix);
    this.textMatrix = this.lineMatrix;
  }

  private font(resources: PdfDictionary | undefined, key: PdfValue | undefined): FontMetrics {
    if (!(key instanceof PdfName)) return UNKNOWN_FONT;
    const value = this.document.dictionary(resources?.get('Font'))?.get(key.value);
    const font = this.document.dictionary(value);
    if (!font) return UNKNOWN_FONT;
    const known = this.fonts.get(font);
    if (known) return known;
    const metrics = fontMetrics(this.document, font);
    this.fonts.set(font, metrics);
    return metrics;
  }

  private marked(
    operands: readonly PdfValue[],
    resources: PdfDictionary | undefined,
    owner: number,
    outer: Mark | undefined,
  ): Mark | undefined {
    const [tag, given] = operands;
    const isArtifact = isNamed(tag, 'Artifact') || outer?.isArtifact === true;
    const listed = this.document.dictionary(resources?.get('Properties'));
    const properties =
      given instanceof PdfName
        ? this.document.dictionary(listed?.get(given.value))
        : this.document.dictionary(given);
    const mcid = this.document.number(properties?.get('MCID'));
    const content = mcid !== undefined ? `${owner}:${mcid}` : outer?.content;
    return { content, isArtifact: isArtifact && mcid === undefined };
  }

  /** Adds a span for the strings and adjustments of a TJ operand, and moves to the end of the text. */
  private show(items: readonly PdfValue[], state: GraphicsState, mark: Mark | undefined): void {
    const { font, size, scale } = state;
    let advance = 0;
    let codes = 0;
    let spaces = 0;
    for (const item of items) {
      if (isNumber(item)) advance -= (item / 1000) * size * (font.isVertical ? 1 : scale);
      if (!(item instanceof PdfString)) continue;
      const { bytes } = item;
      for (let at = 0; at < bytes.length; at += font.bytesPerCode) {
        const low = bytes[at + 1] ?? 0;
        const code = font.bytesPerCode === 2 ? bytes[at]! * 256 + low : bytes[at]!;
        const isSpace = font.bytesPerCode === 1 && code === 32;
        const spacing = state.characterSpacing + (isSpace ? state.wordSpacing : 0);
        const width = font.isVertical ? -1 : font.widthOf(code);
        advance += (width * size + spacing) * (font.isVertical ? 1 : scale);
        codes += 1;
        if (isSpace) spaces += 1;
      }
    }
    if (codes === 0) {
      this.advance(advance, font);
      return;
    }
    const space = times(this.textMatrix, state.matrix);
    const [across, along] = font.isVertical ? [size / 2, advance] : [advance, size * ASCENT];
    const from = font.isVertical ? -across : 0;
    const box = boxOf(times([1, 0, 0, 1, 0, state.rise], space), from, 0, across, along);
    this.drawing.spans.push({
      ...box,
      content: mark?.content,
      isArtifact: mark?.isArtifact === true,
      size: Math.abs(size) * Math.hypot(space[2], space[3]),
      font,
      glyphs: codes - spaces,
    });
    this.advance(advance, font);
  }

  private advance(by: number, font: FontMetrics): void {
    const move: Matrix = font.isVertical ? [1, 0, 0, 1, 0, by] : [1, 0, 0, 1, by, 0];
    this.textMatrix = times(move, this.textMatrix);
  }

  private draw(
    key: PdfValue | undefined,
    resources: PdfDictionary | undefined,
    state: GraphicsState,
    owner: number,
    mark: Mark | undefined,
    depth: number,
  ): void {
    if (!(key instanceof PdfName)) return;
    const { document } = this;
    const reference = document.dictionary(resources?.get('XObject'))?.get(key.value);
    const object = document.resolve(reference);
    if (!(object instanceof PdfStream)) return;
    const { dictionary } = object;
    if (document.isNamed(dictionary.get('Subtype'), 'Image')) {
      this.drawing.images.push(boxOf(state.matrix, 0, 0, 1, 1));
      return;
    }
    if (depth >= MAX_DEPTH) return;
    const content = decodedData(document, object, MAX_CONTENT_BYTES);
    if (!content) return;
    const matrix = matrixOf(document.numbers(dictionary.get('Matrix'), 6) ?? IDENTITY);
    const own = document.dictionary(dictionary.get('Resources')) ?? resources;
    const number = reference instanceof PdfReference ? reference.number : owner;
    const form = dictionary.has('StructParents') ? number : owner;
    const inner = { ...state, matrix: times(matrix, state.matrix) };
    const text = [this.textMatrix, this.lineMatrix] as const;
    this.run(content, own, inner, form, mark, depth + 1);
    [this.textMatrix, this.lineMatrix] = text;
  }
}

const matrixOf = (operands: readonly PdfValue[]): Matrix =>
  operands.length >= 6 && operands.slice(0, 6).every(isNumber)
    ? (operands.slice(0, 6) as unknown as Matrix)
    : IDENTITY;
