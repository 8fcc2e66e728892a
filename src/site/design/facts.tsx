/** Renders a list of names and values. */
import type { Child } from 'hono/jsx';

export type Fact = [name: Child, value: Child];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
