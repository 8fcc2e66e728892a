/** Computes the difference of two texts whose lines are paired by number. */
import type { CallContext } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import type { Change, KeyOf } from './difference.ts';

/** The maximum number of changes in a result. An isolate's memory cannot hold more changes together with the texts. */
const MAX_CHANGES = 250_000;

/**
 * The number of changes at which a call waits for other large calls. Even a text of 64 kB can have enough changes to
 * delay other calls.
 */
const FEW_CHANGES = 2000;

/** The number of lines that are processed before other requests may run. */
const LINES_AT_ONCE = 50_000;

/**
 * Returns the result of compare_text in the mode `position`. Lines with the same key are equal. Throws ToolError 400 if
 * the result would have too many changes.
 */
export async function differenceByPosition(
  text1: string,
  text2: string,
  context: CallContext,
  keyOf: KeyOf,
) {
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
  return {
    identical: changes.length === 0,
    linesCompared: line,
    changeCount: changes.length,
    changes,
  };
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
