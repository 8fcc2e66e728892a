/** Content that may be wider than the page: it scrolls separately, also by keyboard. */
import type { Child } from 'hono/jsx';

export function Scroll({ label, children }: { label: string; children: Child }) {
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      {children}
    </section>
  );
}
