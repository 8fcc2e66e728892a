/** Formats JSON in the browser without a limit on the number of values, because the page serves only one visitor. */
import { defineTool } from '../../core/define-tool.ts';
import { formatJson } from './format_json.ts';

const { check: _, ...unlimited } = formatJson;

export const formatJsonHere = defineTool(unlimited);
