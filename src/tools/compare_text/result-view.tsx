/** The changes of compare_text, side by side. */
import type { ViewParts } from '../../core/result-view.ts';

const MAX_ROWS = 2000;

interface Change {
  line: number;
  change: 'added' | 'removed' | 'modified';
  before: string | null;
  after: string | null;
}

interface Comparison {
  identical: boolean;
  linesCompared: number;
  changes: Change[];
  /** Only where lines are aligned. */
  unified?: string;
}

export function resultView(
  { identical, linesCompared, changes, unified }: Comparison,
  { Table }: ViewParts,
) {
  if (identical) {
    return (
      <p>
        <span class="chip good">Identical</span> All {linesCompared.toLocaleString('en')} lines are
        the same.
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>{changes.length.toLocaleString('en')}</strong> of{' '}
        {linesCompared.toLocaleString('en')} lines differ.{' '}
        {unified === undefined ? 'Lines are compared by position.' : 'Lines are aligned.'}
      </p>
      <Table label="Changes" columns={['Line', 'Before', 'After']} look="diff">
        {changes.slice(0, MAX_ROWS).map(({ line, change, before, after }) => (
          <tr>
            <th scope="row">
              {line}
              <span class="hidden"> {change}</span>
            </th>
            <td class={before === null ? undefined : 'was'}>{before}</td>
            <td class={after === null ? undefined : 'is'}>{after}</td>
          </tr>
        ))}
      </Table>
      {changes.length > MAX_ROWS && (
        <p class="soft">The first {MAX_ROWS.toLocaleString('en')} are shown.</p>
      )}
    </>
  );
}
