/** Reads the words of pages and their positions, as `pdftotext -bbox` lists them. */

import type { Box } from '../../pdf/page-space.ts';
import { wordInReadingOrder } from './right-to-left.ts';

export interface Word extends Box {
  text: string;
}

/** The named entities of XML. */
const ENTITIES: Record<string, string> = { amp: '&', apos: "'", quot: '"', lt: '<', gt: '>' };
const WORD = /<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">([^<]*)</g;

/** Returns the words of each page, as `pdftotext -bbox` lists them. */
export const wordsOfPages = (listed: string): Word[][] =>
  listed
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(WORD)].map(([, left, top, right, bottom, text = '']) => ({
        left: Number(left),
        right: Number(right),
        top: Number(top),
        bottom: Number(bottom),
        text: wordInReadingOrder(unescaped(text)),
      })),
    );

/** Returns XML text with its named entities decoded. */
export const unescaped = (xml: string): string =>
  xml.replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity);
