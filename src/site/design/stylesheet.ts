/** The one stylesheet of the site. */
import { CHAIN_STYLE } from '../chain/style.ts';
import { DEVELOPERS_STYLE } from '../developers/style.ts';
import { DOCS_STYLE } from '../docs/style.ts';
import { HOME_STYLE } from '../home/style.ts';
import { SEARCH_STYLE } from '../search/style.ts';
import { TOOL_STYLE } from '../tool/style.ts';
import { COMPONENTS } from './components.ts';
import { ELEMENTS } from './elements.ts';
import { FRAME } from './frame.ts';
import { TOKENS } from './tokens.ts';

export const STYLESHEET = [
  TOKENS,
  ELEMENTS,
  COMPONENTS,
  FRAME,
  HOME_STYLE,
  TOOL_STYLE,
  CHAIN_STYLE,
  SEARCH_STYLE,
  DOCS_STYLE,
  DEVELOPERS_STYLE,
].join('');
