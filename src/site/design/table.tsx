/** A table with the headings of its columns. What may be wider than the page scrolls by itself, by keyboard too. */
import type { Child } from 'hono/jsx';
import { Scroll } from './scroll.tsx';

interface TableProps {
  /** What it lists, for screen readers. */
  label: string;
  columns: readonly string[];
  /** A class of its own. */
  look?: string;
  /** Where a script puts the rows. */
  bodyId?: string;
  /** Rows, `<tr>` each. */
  children?: Child;
}

export function Table({ label, columns, look, bodyId, children }: TableProps) {
  return (
    <Scroll label={label}>
      <table class={look}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody id={bodyId}>{children}</tbody>
      </table>
    </Scroll>
  );
}
