/** /status: the state of each part of the service. */
import { VERSION } from '../catalogue/version.ts';
import { Layout } from './design/layout.tsx';
import { Table } from './design/table.tsx';
import type { Site } from './site.ts';
import type { PartStatus } from './status.ts';

const SAID = { up: 'Up', off: 'Off', down: 'Down', unasked: 'Set up' };
const LOOKS = { up: 'chip good', off: 'chip', down: 'chip bad', unasked: 'chip' };

export function StatusPage({ site, parts }: { site: Site; parts: readonly PartStatus[] }) {
  const down = parts.filter(({ state }) => state === 'down');
  return (
    <Layout
      site={site}
      title={`Status · ${site.serviceName}`}
      description="The health of each part of the service, and its version."
    >
      <div class="stack loose prose">
        <div class="stack tight">
          <h1>Status</h1>
          <p class="lead">
            {down.length === 0
              ? 'Everything works.'
              : `${down.length === 1 ? 'One part is' : `${down.length} parts are`} down; the rest works.`}
          </p>
        </div>
        <Table label="Parts" columns={['Part', 'State', 'Now']}>
          {parts.map(({ name, state, detail }) => (
            <tr>
              <td>{name}</td>
              <td>
                <span class={LOOKS[state]}>{SAID[state]}</span>
              </td>
              <td class="soft breaks">{detail}</td>
            </tr>
          ))}
        </Table>
        <p class="soft small">
          Version {VERSION}. For programs: <a href="/health">/health</a>.
        </p>
      </div>
    </Layout>
  );
}
