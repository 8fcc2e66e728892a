/** What may be wider than the page: it scrolls by itself, by keyboard too. */
import type { Child } from 'hono/jsx';

export function Scroll({ label, children }: { label: string; children: Child }) {
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      {children}
    </section>
  );
}
