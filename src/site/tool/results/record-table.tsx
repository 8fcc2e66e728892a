/** The records of generate_fake_data as a table that can be saved as CSV. */

import { CodeBlock } from '../../design/code-block.tsx';
import { Table } from '../../design/table.tsx';
import type { ResultProps } from './json-result.tsx';

export function RecordTable({ value }: ResultProps) {
  const records = value.records as (string | Record<string, string>)[];
  const rows = records.map((record) =>
    typeof record === 'string' ? { [value.type as string]: record } : record,
  );
  const columns = Object.keys(rows[0] ?? {});
  const csv = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\n');
  return (
    <>
      <Table label="Records" columns={columns} look="records">
        {rows.map((row) => (
          <tr>
            {columns.map((name) => (
              <td>{row[name]}</td>
            ))}
          </tr>
        ))}
      </Table>
      <details>
        <summary>As CSV</summary>
        <CodeBlock code={csv} what="the records as CSV" wrap />
        <button type="button" class="small" data-save="records.csv" hidden>
          Save as records.csv
        </button>
      </details>
    </>
  );
}
