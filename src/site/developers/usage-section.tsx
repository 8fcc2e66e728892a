/** Renders the account's usage: a plot, a table with the same data, and the refused calls. */

import type { Overview } from '../../access/accounts/overview.ts';
import { REPORTED_DAYS } from '../../access/usage-report.ts';
import { Table } from '../design/table.tsx';
import { Moment } from './moments.tsx';
import { usageName } from './usage-name.ts';
import { UsagePlot } from './usage-plot.tsx';

export function UsageSection({ overview, now }: { overview: Overview; now: number }) {
  const { days, refused } = overview;
  const called = days.filter(({ calls }) => calls > 0);
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <p>
        Calls in the last {REPORTED_DAYS} days, made with your keys or in this browser. Failed calls
        count too, but may appear here a few seconds later than in a key’s requests. Requests reset
        at 00:00 UTC, model tokens on the 1st.
      </p>
      {called.length === 0 ? (
        <p>No calls yet.</p>
      ) : (
        <>
          <UsagePlot days={called} now={now} />
          <details>
            <summary>Show as a table</summary>
            <Table label="Calls by day" columns={['Day', 'Tool', 'Calls', 'Tokens']}>
              {called.toReversed().map(({ day, tool, calls, tokens }) => (
                <tr>
                  <td>{day}</td>
                  <td>{usageName(tool)}</td>
                  <td>{calls.toLocaleString('en')}</td>
                  <td>{tokens.toLocaleString('en')}</td>
                </tr>
              ))}
            </Table>
          </details>
        </>
      )}
      <h3>Recent refused calls</h3>
      <p>
        Calls that a limit, a quota or a missing permission refused. The plot omits them, but
        includes calls that failed for another reason.
      </p>
      {refused.length === 0 ? <p>None.</p> : <RefusedTable overview={overview} />}
    </section>
  );
}

function RefusedTable({ overview: { refused, keys } }: { overview: Overview }) {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return (
    <Table label="Refused calls" columns={['When (UTC)', 'With', 'Tool', 'Response']}>
      {refused.map((call) => (
        <tr>
          <td>
            <Moment at={call.at} />
          </td>
          <td>{call.keyId === null ? 'browser' : (names.get(call.keyId) ?? 'a former key')}</td>
          <td>{usageName(call.tool)}</td>
          <td>
            {call.status} <code>{call.code}</code>: {call.message}
          </td>
        </tr>
      ))}
    </Table>
  );
}
