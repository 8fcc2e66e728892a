/** Escapes and decodes text with the named references of the HTML standard. */
import { decodeHTML, encodeNonAsciiHTML, escapeUTF8 } from 'entities';
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';
import { convertHtmlEntities } from './convert_html_entities.ts';

const CONVERTERS = { escape: escapeUTF8, 'escape-all': encodeNonAsciiHTML, decode: decodeHTML };

export const convertHtmlEntitiesHere = defineTool({
  ...convertHtmlEntities,
  run: ({ text, mode }) => json({ text: CONVERTERS[mode](text) }),
});
