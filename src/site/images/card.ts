/**
 * Renders a page's social card as an SVG of 1200 × 630 pixels, with the service's name, the title and the description.
 */
import { trimEnd } from '../../core/trim-end.ts';
import { COLORS } from '../design/colors.ts';
import { MARK_PATH } from '../design/mark.ts';

export interface Card {
  serviceName: string;
  /** The host of the page's URL. */
  address: string;
  title: string;
  description: string;
}

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

const MARGIN = 88;
const FONT = 'DejaVu Sans, Verdana, sans-serif';
/** The average width of a character in em. */
const EM = { bold: 0.62, plain: 0.54 };

export function cardSvg({ serviceName, address, title, description }: Card): string {
  const titleLines = linesOf(title, 60 * EM.bold, 3);
  const lines = linesOf(description, 30 * EM.plain, titleLines.length > 2 ? 2 : 3);
  const below = 232 + titleLines.length * 72;
  const { paper, accent, ink, soft, line } = COLORS;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}" font-family="${FONT}">
<rect width="100%" height="100%" fill="${paper}"/>
<rect width="16" height="100%" fill="${accent}"/>
<g transform="translate(${MARGIN} 72) scale(2)"><path d="${MARK_PATH}" fill="${accent}"/></g>
${text(serviceName, MARGIN + 88, 116, 34, ink, true)}
${titleLines.map((words, at) => text(words, MARGIN, 244 + at * 72, 60, ink, true)).join('')}
${lines.map((words, at) => text(words, MARGIN, below + at * 44, 30, soft)).join('')}
<path d="M${MARGIN} 542H${CARD_WIDTH - MARGIN}" stroke="${line}" stroke-width="2"/>
${text(address, MARGIN, 588, 26, accent, true)}
</svg>`;
}

const text = (words: string, x: number, y: number, size: number, fill: string, bold = false) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}"${bold ? ' font-weight="700"' : ''}>${escaped(words)}</text>`;

const escaped = (words: string) =>
  words
    // XML does not allow these characters (XML 1.0, section 2.2).
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Breaks words into lines that fit between the margins. Text that needs more than `most` lines is cut off with an
 * ellipsis.
 */
function linesOf(words: string, characterWidth: number, most: number): string[] {
  const maxCharacters = Math.floor((CARD_WIDTH - 2 * MARGIN) / characterWidth);
  const lines: string[] = [];
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= maxCharacters) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word.length > maxCharacters ? `${word.slice(0, maxCharacters - 1)}…` : word);
  }
  if (lines.length <= most) return lines;
  const cut = lines.slice(0, most);
  cut[most - 1] = `${trimEnd(cut[most - 1]!.slice(0, maxCharacters - 1), ',;:.', true)}…`;
  return cut;
}
