/** Reads hOCR, Tesseract's format for lines and their words. */
import type { Box } from '../image/scanned-page/page-pixels.ts';

export interface Word extends Box {
  text: string;
  /** From 0 to 1. */
  confidence: number;
  /** Whether no space precedes the word, as in Chinese. */
  isJoined: boolean;
}

/** Lengths are in pixels of the image. */
export interface TextLine extends Box {
  words: Word[];
  /** The counterclockwise rotation of the letters in degrees. */
  angle: 0 | 90 | 180 | 270;
  /** The slope of the baseline of an upright line, and its offset below the bottom left corner of the box. */
  slope: number;
  offset: number;
  /** The height from the lowest descender to the highest ascender. */
  size: number;
  descenders: number;
}

export interface HocrPage {
  width: number;
  height: number;
  lines: TextLine[];
}

/** The maximum number of characters between two words, such as line breaks or direction marks. */
const LONGEST_GAP = 40;
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** @param text the text of the same page, from which the spaces between words are taken */
export function readHocr(hocr: string, text: string): HocrPage {
  const [head = '', ...spans] = hocr.split("<span class='ocr");
  const [, , width = 0, height = 0] = numbersOf(head.slice(head.indexOf("'ocr_page'")), 'bbox');
  const lines: TextLine[] = [];
  let position = 0;
  for (const span of spans) {
    const end = span.indexOf('>');
    const [head, content] = [span.slice(0, end), span.slice(end + 1)];
    if (!head.startsWith('x_word')) {
      lines.push(lineOf(head));
      continue;
    }
    const word = content
      .slice(0, content.indexOf('</span>'))
      .replace(/<\/?(?:strong|em)>/g, '')
      .replace(/&(#?\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
      .trim();
    const [confidence = 0] = numbersOf(head, 'x_wconf');
    if (word === '') continue;
    const at = text.slice(position, position + LONGEST_GAP + word.length).indexOf(word);
    const isJoined = at >= 0 && !/\s/.test(text.slice(position, position + at));
    if (at >= 0) position += at + word.length;
    const found = { text: word, confidence: confidence / 100, isJoined, ...boxOf(head) };
    lines.at(-1)?.words.push(found);
  }
  return { width, height, lines };
}

function lineOf(head: string): TextLine {
  const [angle = 0] = numbersOf(head, 'textangle');
  const [slope = 0, offset = 0] = numbersOf(head, 'baseline');
  const [size = 0] = numbersOf(head, 'x_size');
  const [descenders = 0] = numbersOf(head, 'x_descenders');
  const box = boxOf(head);
  return { ...box, words: [], angle: angle as TextLine['angle'], slope, offset, size, descenders };
}

function boxOf(head: string): Box {
  const [left = 0, top = 0, right = 0, bottom = 0] = numbersOf(head, 'bbox');
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Returns the numbers of a property in an element's title, such as `bbox 0 0 900 260; …`. */
function numbersOf(head: string, property: string): number[] {
  const start = head.indexOf(`${property} `);
  if (start < 0) return [];
  const [values = ''] = head.slice(start + property.length + 1).split(/[;'"]/, 1);
  return values.split(' ').map(Number);
}
