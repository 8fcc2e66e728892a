/** compare_text: compares two texts line by line, by position or aligned by content. */
import * as z from 'zod';
import { type CallContext, defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { asWritten, type Change, differenceOf, type KeyOf } from './difference.ts';

/** The maximum number of changes in a result. An isolate's memory cannot hold more changes together with the texts. */
const MAX_CHANGES = 250_000;

/**
 * The number of changes at which a call waits for other large calls. Even a text of 64 kB can have enough changes to
 * delay other calls.
 */
const FEW_CHANGES = 2000;

/** The number of lines that are processed before other requests may run. */
const LINES_AT_ONCE = 50_000;

/** The options that only the page has, because the contract does not have them. */
export const IGNORED = z.strictObject({
  ignoreCase: z.boolean().default(false).describe('Whether upper and lower case are the same.'),
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
  const changes: Change[] = [];
  const nextBefore = lines(text1);
  const nextAfter = lines(text2);
  let line = 0;
  for (;;) {
    const before = nextBefore();
    const after = nextAfter();
    if (before === null && after === null) break;
    line++;
    if (line % LINES_AT_ONCE === 0) await context.beginLarge();
    const isSame = before !== null && after !== null && keyOf(before) === keyOf(after);
    if (isSame) continue;
    if (changes.length === MAX_CHANGES) {
      throw badRequest(
        `The texts differ in more than ${MAX_CHANGES.toLocaleString('en')} lines, which is too many to report. Compare smaller parts.`,
        'text2',
      );
    }
    if (changes.length === FEW_CHANGES) {
      await context.beginLarge((text1.length + text2.length) * 2);
    }
    const change = before === null ? 'added' : after === null ? 'removed' : 'modified';
    changes.push({ line, change, before, after });
  }
  return json({
    identical: changes.length === 0,
    linesCompared: line,
    changeCount: changes.length,
    changes,
  });
}

/**
 * Returns a function that returns the next line of `text`, and null after the last line. Lines end at LF or CRLF, and n
 * line breaks make n + 1 lines. Therefore an empty text is one empty line, and a missing final line break is visible.
 */
function lines(text: string): () => string | null {
  let start = 0;
  return () => {
    if (start > text.length) return null;
    const from = start;
    const end = text.indexOf('\n', from);
    if (end === -1) {
      start = text.length + 1;
      return text.slice(from);
    }
    start = end + 1;
    const isCrlf = end > from && text.charCodeAt(end - 1) === 0x0d;
    return text.slice(from, isCrlf ? end - 1 : end);
  };
}
