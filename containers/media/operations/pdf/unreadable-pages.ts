/** Finds pages whose text layer does not match the text shown on the page. */
import type { PageDrawing } from '../../pdf/page-drawing.ts';
import { namedPages } from '../named-pages.ts';

export type Unreadable = 'image' | 'letters';

/**
 * Matches private-use, replacement and control characters. The Symbol font's bullet is also a private-use character,
 * but it is common and harmless.
 */
const MEANINGLESS = /(?!\uf0b7)[\p{Co}\p{Cc}\ufffd]/gu;
const MAX_MEANINGLESS = 0.3;
/** If a page's text has at least this many letters, the text is not compared with the drawing of the page. */
const FEW_LETTERS = 200;
const MIN_GLYPHS = 30;
const MIN_SHARE = 0.3;
/** A page counts as a scan if images cover at least this share of it. */
const MIN_COVER = 0.3;

export type DrawnParts = Pick<PageDrawing, 'spans' | 'images' | 'width' | 'height'>;

/** A page that is completely covered by an image. It is used in place of a page whose image positions are unknown. */
export const COVERED: DrawnParts = {
  spans: [],
  images: [{ left: 0, top: 0, right: 1, bottom: 1 }],
  width: 1,
  height: 1,
};

/**
 * Returns the reason why the text of a page does not match its appearance. Returns undefined if they match, if the page
 * is empty, or if its drawing is needed but unknown.
 */
export function unreadableReason(
  text: string,
  drawing: () => DrawnParts | undefined,
): Unreadable | undefined {
  const letters = text.replace(/\s/g, '');
  const meaningless = letters.match(MEANINGLESS)?.length ?? 0;
  if (meaningless > 0 && meaningless >= letters.length * MAX_MEANINGLESS) return 'letters';
  if (letters.length >= FEW_LETTERS) return undefined;
  const drawn = drawing();
  if (!drawn) return undefined;
  const glyphs = drawn.spans.reduce((sum, span) => sum + span.glyphs, 0);
  if (glyphs >= MIN_GLYPHS && letters.length < glyphs * MIN_SHARE) return 'letters';
  if (letters.length > 0) return undefined;
  const cover = drawn.images.reduce(
    (sum, { left, top, right, bottom }) => sum + (right - left) * (bottom - top),
    0,
  );
  return cover >= drawn.width * drawn.height * MIN_COVER ? 'image' : undefined;
}

/** Returns one warning per reason, listing the affected pages. */
export function unreadableWarnings(
  unreadable: ReadonlyMap<number, Unreadable>,
  isRecognized: boolean,
): string[] {
  const pagesOf = (reason: Unreadable) =>
    [...unreadable].filter(([, found]) => found === reason).map(([page]) => page);
  const remedy = isRecognized
    ? 'The text was recognized by OCR.'
    : 'Send `ocr: "auto"` to recognize the text by OCR.';
  const warnings: string[] = [];
  const images = pagesOf('image');
  const letters = pagesOf('letters');
  if (images.length > 0) {
    warnings.push(`${namedPages(images)}: there are only images and no text layer. ${remedy}`);
  }
  if (letters.length > 0) {
    warnings.push(`${namedPages(letters)}: some letters have no Unicode mapping. ${remedy}`);
  }
  return warnings;
}

/** Returns a warning that lists the pages whose content is damaged, or an empty array if there are none. */
export const damagedWarning = (pages: readonly number[]): string[] =>
  pages.length === 0
    ? []
    : [`${namedPages(pages)}: the content is damaged, so text may be missing.`];

/** Returns a warning that lists the pages whose blocks could not be found, or an empty array if there are none. */
export const plainTextWarning = (pages: readonly number[]): string[] =>
  pages.length === 0
    ? []
    : [`${namedPages(pages)}: headings and tables could not be found, so the text is plain.`];
