/**
 * Renders a table with column headings. A table wider than the page scrolls on its own, including with the keyboard.
 */
import type { Child } from 'hono/jsx';
import { Scroll } from './scroll.tsx';

interface TableProps {
  /** The name of the table for screen readers. */
  label: string;
  columns: readonly string[];
  /** An additional CSS class. */
  look?: string;
  /** The id of the table body, if a script fills it. */
  bodyId?: string;
  /** The rows as `<tr>` elements. */
  children?: Child;
}

export function Table({ label, columns, look, bodyId, children }: TableProps) {
  return (
    <Scroll label={label}>
      <table class={look}>
        <thead>
          <tr>{columns.map((name) => (name === '' ? <td /> : <th scope="col">{name}</th>))}</tr>
        </thead>
        <tbody id={bodyId}>{children}</tbody>
      </table>
    </Scroll>
  );
}
