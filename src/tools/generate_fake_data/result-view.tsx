/** Shows the records of generate_fake_data as a table, with a button that saves them as CSV. */
import type { ViewParts } from '../../core/result-view.ts';

interface Generated {
  type: string;
  records: (string | Record<string, string>)[];
}

export function resultView({ type, records }: Generated, { CodeBlock, Table }: ViewParts) {
  const rows = records.map((record) => (typeof record === 'string' ? { [type]: record } : record));
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
