/**
 * Renders the page for visitors who are not signed in. It links to the documentation and shows a first call and how to
 * get a key.
 */
import type { NoSignIn, SignInSite } from '../../access/accounts/sign-in-site.ts';
import { QUOTAS } from '../../access/api-keys.ts';
import { GENERAL_LIMITS, rateText } from '../../access/general-limits.ts';
import { countsText } from '../../catalogue/counts.ts';
import { GB } from '../../core/limits.ts';
import type { CodeSample, FirstCall } from '../../core/reference.ts';
import { TOOLS } from '../../tools/registry.ts';
import { Table } from '../design/table.tsx';
import { CodeSamples, Sample } from '../docs/code-samples.tsx';
import { Starts } from '../docs/starts.tsx';
import { SignInSection, TrialKeyCard } from './sign-in-section.tsx';

interface SignedOutProps {
  signInAt: SignInSite | NoSignIn;
  github: boolean;
  singleSignOn: boolean;
  closed: boolean;
  hasLimits: boolean;
  /** The names of the tools that are switched off on this server. */
  off: ReadonlySet<string>;
  /** The new key, which is shown at the top of the page. */
  newKey: string | undefined;
  /** The example of a first call. Undefined if it cannot be read. */
  example: FirstCall | undefined;
}

export function SignedOut({ example, closed, hasLimits, off, newKey, ...signIn }: SignedOutProps) {
  return (
    <>
      <Starts />
      <section class="columns" aria-labelledby="first-call">
        <div class="stack">
          <h2 id="first-call">Your first call</h2>
          <p>
            Each tool of the API has an endpoint, <code>POST /api/v1/tools/NAME</code>. Send its
            parameters as JSON, or its files as a form. The result is JSON, or the file itself.
          </p>
          {newKey && (
            <p>
              The <code>Authorization</code> header holds your new key.
            </p>
          )}
          <p class="small soft">{countsText(off)}.</p>
          <ul class="stack tight ticks">
            <li>
              An error says what to change. <a href="/docs/errors">Errors</a>
            </li>
            {hasLimits && (
              <li>
                Every response says how many calls are left.{' '}
                <a href="/how-to/stay-within-the-limits">Limits</a>
              </li>
            )}
            <li>
              With an idempotency key, you can retry a call safely: the work runs only once.{' '}
              <a href="/how-to/repeat-a-call-safely">Repeat a call</a>
            </li>
          </ul>
          <p>
            <a class="button" href="/docs">
              Read the docs
            </a>
          </p>
        </div>
        <div class="stack">
          {example && (
            <>
              <CodeSamples samples={newKey ? withKey(example, newKey) : example.calls} />
              <Sample sample={example.result} />
            </>
          )}
        </div>
      </section>
      <section class="stack" aria-labelledby="keys">
        <h2 id="keys">Get a key</h2>
        <div class="ways">
          {!closed && <TrialKeyCard hasLimits={hasLimits} />}
          <SignInSection closed={closed} {...signIn} />
        </div>
        {!closed && <WhatKeysGive hasLimits={hasLimits} off={off} />}
      </section>
    </>
  );
}

/**
 * Inserts the key into the calls. The key needs no escaping, because it consists of letters, digits and underscores.
 */
const withKey = ({ callsWithKey }: FirstCall, key: string): CodeSample[] =>
  callsWithKey.map(({ name, html }) => ({ name, html: html.replace('YOUR_KEY', key) }));

const number = (value: number) => value.toLocaleString('en');
const bytes = (value: number) => `${value / GB} GB a day`;

type Row = [name: string, none: string, trial: string, account: string];

/** Compares the limits of calls without a key and with each kind of key. */
export function WhatKeysGive({ hasLimits, off }: Pick<SignedOutProps, 'hasLimits' | 'off'>) {
  const needAccount = TOOLS.filter(({ access }) => access === 'account').map(({ name }) => name);
  const names = needAccount.filter((name) => !off.has(name));
  const rows: Row[] = [
    ...(hasLimits
      ? limitRows()
      : ([['Runs and model tokens', 'no limit', 'no limit', 'no limit']] as Row[])),
    ...(names.length > 0 ? ([[names.join(', '), 'no', 'no', 'yes']] as Row[]) : []),
    ['Usage and webhooks', 'no', 'yes', 'yes'],
    ['Valid', 'always', 'for 24 hours', 'until you revoke it'],
  ];
  return (
    <>
      <Table
        label="What you get with a key"
        look="offers"
        columns={['', 'Without a key', 'Trial key', 'Account key']}
      >
        {rows.map(([name, ...values]) => (
          <tr>
            <th scope="row">{name}</th>
            {values.map((value) => (
              <td>{value}</td>
            ))}
          </tr>
        ))}
      </Table>
      {hasLimits && (
        <p class="small soft">
          Some tools also have <a href="/docs#limits">their own limits</a>, which a key does not
          raise.
        </p>
      )}
      {!hasLimits && (
        <p class="small soft">
          The operator has switched limits off. <code>GET /api/v1/usage</code> still shows the
          quotas of a key, but no call is refused because of them.
        </p>
      )}
    </>
  );
}

function limitRows(): Row[] {
  const { trial, persistent } = QUOTAS;
  const { execution, mcp } = GENERAL_LIMITS;
  const runs = (requests: number) => `${rateText(execution.known)}, ${number(requests)} a day`;
  const tokens = (quota: number) => `${number(quota)} a month`;
  return [
    [
      'Runs of tools',
      rateText(execution.anonymous),
      runs(trial.requestsPerDay),
      runs(persistent.requestsPerDay),
    ],
    ['Requests over MCP', rateText(mcp.anonymous), rateText(mcp.known), rateText(mcp.known)],
    [
      'Model tokens',
      'by each tool’s limit',
      number(trial.tokensPerMonth),
      tokens(persistent.tokensPerMonth),
    ],
    [
      'Stored files',
      bytes(trial.bytesPerDay),
      bytes(trial.bytesPerDay),
      bytes(persistent.bytesPerDay),
    ],
  ];
}
