/** Renders the latest attempts to deliver webhooks for finished jobs. */
import type { LoggedAttempt } from '../../core/jobs.ts';
import { Table } from '../design/table.tsx';
import { Moment } from './moments.tsx';

/** The maximum number of attempts on the page. The log can contain more. */
const SHOWN = 20;

export function WebhooksSection({ attempts }: { attempts: readonly LoggedAttempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <Table
        label="Recent webhook attempts"
        columns={['When (UTC)', 'Job', 'URL', 'Response', 'Next attempt']}
      >
        {attempts.slice(0, SHOWN).map(({ at, jobId, address, status, error, nextAt }) => (
          <tr>
            <td>
              <Moment at={Date.parse(at)} />
            </td>
            <td>
              <code>{jobId}</code>
            </td>
            <td>{address}</td>
            <td>{status ?? error}</td>
            <td>{nextAt === undefined ? 'none' : <Moment at={Date.parse(nextAt)} />}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
