/** compare_text: compares two texts line by line, by position or aligned by content. */
import * as z from 'zod';
import { type CallContext, defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';
import { differenceByPosition } from './by-position.ts';
import { asWritten, differenceOf, type KeyOf } from './difference.ts';

/** The options that only the page offers, because they are not part of the contract. */
export const IGNORED = z.strictObject({
  ignoreCase: z.boolean().default(false).describe('Whether letter case is ignored.'),
  ignoreWhitespace: z.boolean().default(false).describe('Whether spaces and tabs are ignored.'),
});

const INPUT = z.strictObject({
  text1: z.string().describe('The baseline, reported as "before".'),
  text2: z.string().describe('The revised text, reported as "after".'),
  mode: z.enum(['position', 'diff']).default('position').describe('How lines are paired.'),
});

export const compareText = defineTool({
  name: 'compare_text',
  title: 'Compare texts',
  shortName: 'Compare texts',
  kind: 'text',
  icon: 'diff',
  domain: 'text',
  description:
    'Compares two texts by line number, so inserting a line near the top marks every later line as "modified". Mode "diff" aligns lines by content. Whitespace and case matter; CRLF and LF are the same. Differences within a line are not marked.',
  input: INPUT,
  pageInput: IGNORED,
  output: z.object({
    identical: z.boolean().describe('Whether the texts have the same lines.'),
    linesCompared: z.int().describe('Number of lines in the longer text.'),
    changeCount: z.int().describe('Number of changes.'),
    changes: z
      .array(
        z.object({
          line: z
            .int()
            .describe(
              'The line number. With mode diff, the number in text2, or in text1 for a removed line.',
            ),
          change: z
            .enum(['added', 'removed', 'modified'])
            .describe('The type of change to the line.'),
          before: z.string().nullable().describe('The line in text1; null if it was added.'),
          after: z.string().nullable().describe('The line in text2; null if it was removed.'),
          beforeLine: z
            .int()
            .nullable()
            .optional()
            .describe('The line number in text1; only with mode diff.'),
          afterLine: z
            .int()
            .nullable()
            .optional()
            .describe('The line number in text2; only with mode diff.'),
        }),
      )
      .describe('The lines that differ, in order.'),
    unified: z.string().optional().describe('A unified diff; only with mode diff.'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: {
    parameters: { text1: 'apples\npears\nplums', text2: 'apples\ncherries\nplums\nfigs' },
  },
  form: {
    text1: { label: 'Before', help: '', rows: 6, takesFile: true, mayBeEmpty: true },
    text2: { label: 'After', help: '', rows: 6, takesFile: true, mayBeEmpty: true },
    mode: {
      label: 'Compare',
      help: '',
      initial: 'diff',
      choices: { diff: 'Matching lines', position: 'Lines by number' },
      isAdvanced: true,
    },
    ignoreCase: { label: 'Ignore case', help: '', isAdvanced: true },
    ignoreWhitespace: { label: 'Ignore whitespace', help: '', isAdvanced: true },
  },
  synonyms: ['diff', 'json diff', 'difference', 'changes', 'side by side', 'what changed'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  run: (parameters, context) => compareLines(parameters, context),
});

/** Compares the texts. Lines for which `keyOf` returns the same text are equal. */
export async function compareLines(
  { text1, text2, mode }: z.output<typeof INPUT>,
  context: CallContext,
  keyOf: KeyOf = asWritten,
) {
  if (mode === 'diff') {
    await context.beginLarge((text1.length + text2.length) * 4);
    return json(differenceOf(text1, text2, keyOf));
  }
  return json(await differenceByPosition(text1, text2, context, keyOf));
}
