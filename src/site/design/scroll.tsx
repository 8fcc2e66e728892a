/** Wraps content that may be wider than the page. The content scrolls on its own, including with the keyboard. */
import type { Child } from 'hono/jsx';

export function Scroll({ label, children }: { label: string; children: Child }) {
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      {children}
    </section>
  );
}
