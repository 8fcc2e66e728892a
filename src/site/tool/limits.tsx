/** A tool's limits, derived from its definition. */
import { SURFACES } from '../../access/surfaces.ts';
import { limitFacts } from '../../catalogue/limit-facts.ts';
import type { Tool } from '../../core/define-tool.ts';
import { Facts } from '../design/facts.tsx';

const SURFACE_NAMES = { rest: 'REST', mcp: 'MCP', chain: 'chains' };

export function Limits({ tool }: { tool: Tool }) {
  const { anonymous, known } = SURFACES.execution;
  return (
    <section class="stack tight" aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <Facts
        facts={[
          ...limitFacts(tool),
          [
            'All tools',
            <>
              {anonymous.calls} calls per {anonymous.per}, {known.calls} per {known.per} for an{' '}
              <a href="/developers">account or key</a>
            </>,
          ],
          ['Available over', tool.surfaces.map((surface) => SURFACE_NAMES[surface]).join(', ')],
        ]}
      />
    </section>
  );
}
