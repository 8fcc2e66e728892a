/**
 * Formats JSON in the browser without a limit on the number of values, because the page serves only one visitor. People
 * compare the result with the original, so numbers such as `1.0` and repeated keys stay as they are written.
 */
import { defineTool } from '../../core/define-tool.ts';
import { format, formatJson } from './format_json.ts';

const { check: _, ...unlimited } = formatJson;

export const formatJsonHere = defineTool({
  ...unlimited,
  run({ json, indent }, context) {
    const isMarked = json.startsWith('\ufeff');
    if (isMarked) context.warn('An invisible byte-order mark at the beginning was ignored.');
    // The byte order mark is replaced with a space, which keeps the positions in messages correct.
    return format({ json: json.replace(/^\ufeff/, ' '), indent }, context, true);
  },
});
