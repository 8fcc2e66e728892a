/** Shows the changes that compare_text finds: side by side, one below the other, and as a file for `patch`. */
import type { ViewParts } from '../../core/result-view.ts';
import type { Change } from './difference.ts';
import { type Line, type Row, rowsOf } from './result-rows.ts';

interface Comparison {
  identical: boolean;
  linesCompared: number;
  changes: Change[];
  /** The unified diff. Set only if lines are aligned. */
  unified?: string | undefined;
}

/** The parameters from the page's form. */
interface Entered {
  text2?: string;
  ignoreCase?: boolean;
  ignoreWhitespace?: boolean;
}

export function resultView(
  { identical, linesCompared, changes, unified }: Comparison,
  { CodeBlock, Table }: ViewParts,
  entered: Entered = {},
) {
  if (identical) {
    return (
      <p>
        <span class="chip good">Identical</span>{' '}
        {linesCompared === 1
          ? 'The line is the same'
          : `All ${linesCompared.toLocaleString('en')} lines are the same`}
        {ignoredText(entered)}.
      </p>
    );
  }
  const { rows, isCut } = rowsOf(changes, unified, entered.text2);
  return (
    <>
      <p>
        <strong>{changes.length.toLocaleString('en')}</strong>{' '}
        {changes.length === 1 ? 'line differs' : 'lines differ'}.{' '}
        {unified === undefined && 'Lines are compared by position.'}
        {isCut && 'Only the first changes are shown.'}
      </p>
      <details open data-narrow="closed">
        <summary>Side by side</summary>
        <Table
          label="Changes side by side"
          columns={['Line', 'Before', 'Line', 'After']}
          look="diff"
        >
          {rows.map(({ change, before, after, isAfterGap }) => (
            <>
              {isAfterGap && <Gap columns={4} />}
              <tr>
                <LineNumber line={before} />
                <LineText line={before} look={change === 'same' ? undefined : 'was'} />
                <LineNumber line={after} />
                <LineText line={after} look={change === 'same' ? undefined : 'is'} />
              </tr>
            </>
          ))}
        </Table>
      </details>
      <details data-narrow="open">
        <summary>One below the other</summary>
        <Table
          label="Changes one below the other"
          columns={['Before', 'After', 'Text']}
          look="diff"
        >
          {belowEachOther(rows).map(({ change, before, after, isAfterGap }) => (
            <>
              {isAfterGap && <Gap columns={3} />}
              <tr>
                <LineNumber line={before} />
                <LineNumber line={after} />
                <LineText
                  line={after ?? before}
                  look={change === 'same' ? undefined : after ? 'is' : 'was'}
                />
              </tr>
            </>
          ))}
        </Table>
      </details>
      {unified && (
        <details>
          <summary>As a diff file</summary>
          <CodeBlock code={unified} what="the diff" wrap />
          <button type="button" class="small" data-save="changes.diff" hidden>
            Save as changes.diff
          </button>
        </details>
      )}
    </>
  );
}

/** Returns text such as " if you ignore case and whitespace", or an empty string if nothing is ignored. */
function ignoredText({ ignoreCase, ignoreWhitespace }: Entered): string {
  const ignored = [...(ignoreCase ? ['case'] : []), ...(ignoreWhitespace ? ['whitespace'] : [])];
  return ignored.length > 0 ? ` if you ignore ${ignored.join(' and ')}` : '';
}

/** Splits each modified line into two rows. Among adjacent changes, the removed lines come first. */
function belowEachOther(rows: readonly Row[]): Row[] {
  const removed: Row[] = [];
  const added: Row[] = [];
  const lines: Row[] = [];
  const flush = () => lines.push(...removed.splice(0), ...added.splice(0));
  for (const row of rows) {
    if (row.change === 'same' || row.isAfterGap) flush();
    if (row.change === 'same') {
      lines.push(row);
      continue;
    }
    const { isAfterGap, before, after } = row;
    if (before) removed.push({ change: 'removed', before, after: null, isAfterGap });
    if (after)
      added.push({ change: 'added', before: null, after, isAfterGap: isAfterGap && !before });
  }
  flush();
  return lines;
}

function Gap({ columns }: { columns: number }) {
  return (
    <tr>
      <td class="gap" colspan={columns}>
        <span class="hidden">Equal lines are left out</span>
        <span aria-hidden="true">⋯</span>
      </td>
    </tr>
  );
}

const LineNumber = ({ line }: { line: Line | null }) => <td class="at">{line?.number}</td>;

function LineText({ line, look }: { line: Line | null; look: 'was' | 'is' | undefined }) {
  const Mark = look === 'was' ? 'del' : 'ins';
  return (
    <td class={line ? look : undefined}>
      {line && look && <span class="hidden">{look === 'was' ? 'removed: ' : 'added: '}</span>}
      {line?.parts.map(({ text, isChanged }) => (isChanged ? <Mark>{text}</Mark> : text))}
    </td>
  );
}
