/** Compares texts in the browser, where case and whitespace can be ignored. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { compareLines, compareText, IGNORED } from './compare_text.ts';
import type { KeyOf } from './difference.ts';

export const compareTextHere = defineTool({
  ...compareText,
  input: z.strictObject({ ...compareText.input.shape, ...IGNORED.shape }),
  run: (parameters, context) => compareLines(parameters, context, keyWith(parameters)),
});

/** Returns a function that normalizes the case and whitespace of a line if the comparison ignores them. */
function keyWith({ ignoreCase, ignoreWhitespace }: z.output<typeof IGNORED>): KeyOf {
  return (line) => {
    const visible = ignoreWhitespace ? line.replace(/\s+/g, '') : line;
    return ignoreCase ? visible.toLowerCase() : visible;
  };
}
