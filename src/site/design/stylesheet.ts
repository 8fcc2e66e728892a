/** The styles of the site in two parts: what the header of a page needs stands in the page itself, the rest is one file. */
import { CHAIN_STYLE } from '../chain/style.ts';
import { DEVELOPERS_STYLE } from '../developers/style.ts';
import { DOCS_STYLE } from '../docs/style.ts';
import { HOME_STYLE } from '../home/style.ts';
import { SEARCH_STYLE } from '../search/style.ts';
import { TOOL_STYLE } from '../tool/style.ts';
import { COMPONENTS } from './components.ts';
import { ELEMENTS } from './elements.ts';
import { FRAME, HEADER } from './frame.ts';
import { MARK_STYLE } from './mark.ts';
import { TOKENS } from './tokens.ts';

/** So that the header is there with the page's first bytes, before anything else has been asked for. */
export const HEADER_STYLES = [TOKENS, HEADER, MARK_STYLE].map(withoutBreaks).join('');

export const STYLESHEET = [
  ELEMENTS,
  FRAME,
  COMPONENTS,
  HOME_STYLE,
  TOOL_STYLE,
  CHAIN_STYLE,
  SEARCH_STYLE,
  DOCS_STYLE,
  DEVELOPERS_STYLE,
]
  .map(withoutBreaks)
  .join('');

let hash: Promise<string> | undefined;

/** What the policy of a page names the styles in it by. */
export function headerStylesHash(): Promise<string> {
  hash ??= crypto.subtle
    .digest('SHA-256', new TextEncoder().encode(HEADER_STYLES))
    .then((digest) => `sha256-${new Uint8Array(digest).toBase64()}`);
  return hash;
}

function withoutBreaks(styles: string): string {
  return styles
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .replace(/ ?([{;]) /g, '$1')
    .replace(/; ?\}/g, '}');
}
