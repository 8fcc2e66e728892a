/**
 * Shows the explanation of a regular expression as nested lists. The page of test_regex loads this script on demand.
 */
import { make } from './parts/elements.ts';
import { explainRegex, type Part } from './parts/regex-explanation.ts';

/** Returns the explanation, or a message if the expression cannot be explained. */
export function explanation(pattern: string, flags: string): HTMLElement {
  const parts = explainRegex(pattern, flags);
  return typeof parts === 'string'
    ? make('p', { className: 'soft', textContent: parts })
    : list(parts);
}

const list = (parts: readonly Part[]): HTMLElement => make('ul', {}, ...parts.map(item));

function item({ code, text, parts }: Part): HTMLElement {
  const source = code ? [make('code', { textContent: code }), ' '] : [];
  return make('li', {}, ...source, text, ...(parts.length > 0 ? [list(parts)] : []));
}
