/**
 * Finds the text spans, images, small shapes and lines that a page draws, in drawing order, and its links. Each span
 * includes its font and marked content. Text is measured but not decoded (ISO 32000-1, sections 8, 9 and 14.6).
 */
import { readContent } from './content.ts';
import type { PdfDocument } from './document.ts';
import { type FontMetrics, fontMetrics } from './font-metrics.ts';
import {
  type GraphicsState,
  initialState,
  numberAt,
  textStateChange,
  UNKNOWN_FONT,
} from './graphics-state.ts';
import {
  isNamed,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  type PdfValue,
  unlessDamaged,
} from './objects.ts';
import { MAX_CONTENT_BYTES, pageContent } from './page-content.ts';
import { type PageLink, pageLinks } from './page-links.ts';
import { type Box, boxOf, IDENTITY, type Matrix, pageSpace, times } from './page-space.ts';
import type { Page } from './pages.ts';
import { PaintedShapes } from './painted-shapes.ts';
import { decodedData } from './stream-data.ts';
import { type TextExtent, TextObject } from './text-object.ts';

const MAX_SPANS = 200_000;
/** The maximum nesting depth of forms, and of saved graphics states. */
const MAX_DEPTH = 12;
const MAX_STATES = 512;
/** The assumed expansion factor of a form that cannot be decoded, which is that of deflated zeros. */
const USUAL_EXPANSION = 1000;
/** The maximum number of operators in a page and its forms. */
const MAX_OPERATORS = 5_000_000;

export interface TextSpan extends Box, Omit<TextExtent, 'box'> {
  /** The content stream and the marked-content identifier as `OBJECT:MCID`, like the keys of the structure tree. */
  content: string | undefined;
  isArtifact: boolean;
  font: FontMetrics;
}

export interface PageDrawing {
  spans: TextSpan[];
  images: Box[];
  /** The boxes of small shapes, such as bullets. */
  shapes: Box[];
  /** The boxes of horizontal and vertical lines. */
  rules: Box[];
  /** Links to addresses outside the document (section 12.6.4.7). */
  links: PageLink[];
  width: number;
  height: number;
}

/** The innermost marked-content sequence (section 14.6). */
type Mark = Pick<TextSpan, 'content' | 'isArtifact'>;

/** The content of a page or form. */
interface ContentStream {
  data: Uint8Array;
  resources: PdfDictionary | undefined;
  /** The number of the page or form object to which the content's marked-content identifiers belong. */
  owner: number;
}

/** The state that the content streams of a page share. */
interface Shared {
  document: PdfDocument;
  drawing: PageDrawing;
  painted: PaintedShapes;
  fonts: Map<PdfValue, FontMetrics>;
  /** The number of operators that were executed. */
  operators: number;
  /** The number of bytes that the forms of the page may still have. A form counts each time that it is drawn. */
  formBytes: number;
}

/**
 * Returns the drawing of a page, up to the first damaged part. Throws StreamTooLarge, or PdfDamage if the content
 * cannot be decoded.
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
  const data = pageContent(document, page);
  const resources = page.dictionary.get('Resources') ?? page.inherited.get('Resources');
  const painted = new PaintedShapes();
  const shared: Shared = {
    document,
    drawing,
    painted,
    fonts: new Map(),
    operators: 0,
    formBytes: MAX_CONTENT_BYTES,
  };
  const stream = {
    data,
    resources: document.dictionary(resources),
    owner: page.reference.number,
  };
  new Interpreter(shared, stream, initialState(matrix)).run();
  return { ...drawing, shapes: painted.shapes, rules: painted.rules };
}

/** Executes one content stream, and the forms that it draws. */
class Interpreter {
  private readonly shared: Shared;
  private readonly stream: ContentStream;
  private readonly depth: number;
  private readonly text = new TextObject();
  private state: GraphicsState;
  private readonly savedStates: GraphicsState[] = [];
  private mark: Mark | undefined;
  private readonly outerMarks: (Mark | undefined)[] = [];

  constructor(shared: Shared, stream: ContentStream, state: GraphicsState, mark?: Mark, depth = 0) {
    this.shared = shared;
    this.stream = stream;
    this.state = state;
    this.mark = mark;
    this.depth = depth;
  }

  run(): void {
    const { shared } = this;
    const operations = readContent(this.stream.data);
    for (;;) {
      // Readers draw everything before the damaged part, so the result includes it too.
      const next = unlessDamaged(() => operations.next());
      if (!next || next.done) return;
      shared.operators += 1;
      if (shared.operators > MAX_OPERATORS || shared.drawing.spans.length > MAX_SPANS) return;
      const [operator, operands] = next.value;
      this.execute(operator, operands);
    }
  }

  private execute(operator: string, operands: readonly PdfValue[]): void {
    const { state } = this;
    switch (operator) {
      case 'q':
        if (this.savedStates.length < MAX_STATES) this.savedStates.push(state);
        break;
      case 'Q':
        this.state = this.savedStates.pop() ?? state;
        break;
      case 'cm':
        this.state = { ...state, matrix: times(matrixOf(operands), state.matrix) };
        break;
      case 'BMC':
      case 'BDC':
        this.outerMarks.push(this.mark);
        this.mark = this.marked(operands);
        break;
      case 'EMC':
        if (this.outerMarks.length > 0) this.mark = this.outerMarks.pop();
        break;
      case 'Do':
        this.drawObject(operands[0]);
        break;
      case 'BI':
        this.drawImage();
        break;
      default:
        if (!this.executeText(operator, operands)) {
          this.shared.painted.run(operator, operands, state.matrix);
        }
    }
  }

  /** Executes an operator of section 9. Returns false for any other operator. */
  private executeText(operator: string, operands: readonly PdfValue[]): boolean {
    const { text } = this;
    switch (operator) {
      case 'BT':
        text.moveTo(IDENTITY);
        return true;
      case 'Tf':
        this.change({ font: this.font(operands[0]), fontSize: numberAt(operands, 1) });
        return true;
      case 'TD':
        this.change({ leading: -numberAt(operands, 1) });
        text.moveLine(numberAt(operands, 0), numberAt(operands, 1));
        return true;
      case 'Td':
        text.moveLine(numberAt(operands, 0), numberAt(operands, 1));
        return true;
      case 'Tm':
        text.moveTo(matrixOf(operands));
        return true;
      case 'T*':
        text.moveLine(0, -this.state.leading);
        return true;
      case 'Tj':
        this.show([operands[0] ?? null]);
        return true;
      case 'TJ':
        this.show(Array.isArray(operands[0]) ? operands[0] : []);
        return true;
      case '"':
        this.change({
          wordSpacing: numberAt(operands, 0),
          characterSpacing: numberAt(operands, 1),
        });
        return this.executeText("'", operands);
      case "'":
        text.moveLine(0, -this.state.leading);
        this.show([operands.at(-1) ?? null]);
        return true;
    }
    const change = textStateChange(operator, operands);
    if (change) this.change(change);
    return change !== undefined;
  }

  private change(change: Partial<GraphicsState>): void {
    this.state = { ...this.state, ...change };
  }

  private font(key: PdfValue | undefined): FontMetrics {
    const { document, fonts } = this.shared;
    const font = document.dictionary(this.resource('Font', key));
    if (!font) return UNKNOWN_FONT;
    const known = fonts.get(font);
    if (known) return known;
    const metrics = fontMetrics(document, font);
    fonts.set(font, metrics);
    return metrics;
  }

  /** Returns the resource with this name, unresolved. */
  private resource(category: string, key: PdfValue | undefined): PdfValue | undefined {
    if (!(key instanceof PdfName)) return undefined;
    const { document } = this.shared;
    return document.dictionary(this.stream.resources?.get(category))?.get(key.value);
  }

  /** Returns the mark of a marked-content sequence within the current one. */
  private marked([tag, given]: readonly PdfValue[]): Mark {
    const { document } = this.shared;
    const isArtifact = isNamed(tag, 'Artifact') || this.mark?.isArtifact === true;
    const properties = document.dictionary(
      given instanceof PdfName ? this.resource('Properties', given) : given,
    );
    const mcid = document.number(properties?.get('MCID'));
    const content = mcid !== undefined ? `${this.stream.owner}:${mcid}` : this.mark?.content;
    return { content, isArtifact: isArtifact && mcid === undefined };
  }

  private show(items: readonly PdfValue[]): void {
    const { state, mark } = this;
    const shown = this.text.show(items, state);
    if (!shown) return;
    const { box, ...measures } = shown;
    const content = mark?.content;
    const isArtifact = mark?.isArtifact === true;
    this.shared.drawing.spans.push({
      ...box,
      ...measures,
      content,
      isArtifact,
      font: state.isStroked ? { ...state.font, isBold: true } : state.font,
    });
  }

  /** Adds an image, which fills the unit square of user space (section 8.9.5.1). */
  private drawImage(): void {
    this.shared.drawing.images.push(boxOf(this.state.matrix, 0, 0, 1, 1));
  }

  private drawObject(key: PdfValue | undefined): void {
    const { document } = this.shared;
    const reference = this.resource('XObject', key);
    const object = document.resolve(reference);
    if (!(object instanceof PdfStream)) return;
    if (document.isNamed(object.dictionary.get('Subtype'), 'Image')) this.drawImage();
    else if (this.depth < MAX_DEPTH) this.drawForm(object, reference);
  }

  private drawForm(form: PdfStream, reference: PdfValue | undefined): void {
    const { shared, stream, state, mark, depth } = this;
    const { document } = shared;
    const { dictionary } = form;
    if (shared.formBytes <= 0) return;
    const data = decodedData(document, form, MAX_CONTENT_BYTES);
    shared.formBytes -= data?.length ?? form.encoded.length * USUAL_EXPANSION;
    if (!data) return;
    // Only a form with StructParents has its own marked-content identifiers.
    const isOwner = dictionary.has('StructParents') && reference instanceof PdfReference;
    const inner = {
      data,
      resources: document.dictionary(dictionary.get('Resources')) ?? stream.resources,
      owner: isOwner ? reference.number : stream.owner,
    };
    const matrix = matrixOf(document.numbers(dictionary.get('Matrix'), 6) ?? IDENTITY);
    const initial = { ...state, matrix: times(matrix, state.matrix) };
    new Interpreter(shared, inner, initial, mark, depth + 1).run();
  }
}

const matrixOf = (operands: readonly PdfValue[]): Matrix =>
  operands.length >= 6 && operands.slice(0, 6).every((value) => typeof value === 'number')
    ? (operands.slice(0, 6) as unknown as Matrix)
    : IDENTITY;
