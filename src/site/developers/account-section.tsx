/** Renders the account: its passkeys, recovery codes, GitHub user and sessions, and the form that deletes it. */
import type { Overview } from '../../access/accounts/overview.ts';
import { Moment } from './moments.tsx';

interface AccountSectionProps {
  overview: Overview;
  /** Whether sign-in with GitHub is configured. */
  github: boolean;
  sessionId: string | null;
}

export function AccountSection({ overview, github, sessionId }: AccountSectionProps) {
  const { account } = overview;
  return (
    <>
      <Passkeys overview={overview} />
      <section aria-labelledby="recovery">
        <h2 id="recovery">Recovery codes</h2>
        <p>
          {account.recoveryCodes === 0
            ? 'You have no unused codes.'
            : `Unused codes: ${account.recoveryCodes}. New codes replace them.`}
        </p>
        <form method="post" action="/developers/recovery-codes">
          <input type="hidden" name="replaced" value={account.recoveryCodesMadeAt ?? ''} />
          <button type="submit">Create recovery codes</button>
        </form>
      </section>
      {(github || account.github !== null) && <Github login={account.github} offered={github} />}
      <Sessions overview={overview} sessionId={sessionId} />
      <p class="small">
        Account ID: <code>{account.id}</code>
      </p>
      <section aria-labelledby="delete">
        <h2 id="delete">Delete the account</h2>
        <details>
          <summary>Delete this account</summary>
          <p>
            Keys stop working at once, and passkeys, sessions and usage are deleted. Rate-limit
            counters, which contain no names, expire within a day, and the counters of model tokens
            at the end of the month. Short links keep working, and stored files stay until they
            expire. Neither names the account.
          </p>
          <form method="post" action="/developers/delete">
            <label for="confirm">
              Type the account’s name, <strong>{account.name}</strong>
            </label>
            <input id="confirm" name="confirm" required autocomplete="off" />
            <button type="submit" class="danger">
              Delete everything
            </button>
          </form>
        </details>
      </section>
    </>
  );
}

function Passkeys({ overview: { account, passkeys } }: { overview: Overview }) {
  const removable = passkeys.length > 1 || account.github !== null || account.singleSignOn;
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <ul class="cards stack">
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <li class="card stack">
            <p>
              <strong>{name}</strong>, added <Moment at={createdAt} time={false} />,{' '}
              {lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  last used <Moment at={lastUsedAt} />
                </>
              )}
            </p>
            {removable && (
              <form method="post" action={`/developers/passkeys/${id}/remove`}>
                <button type="submit">
                  Remove <span class="hidden">{name}</span>
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <form method="post" action="/developers/passkeys" data-passkey="create">
        <label for="passkey-name">
          Name of another passkey <span class="hint">(optional)</span>
        </label>
        <input id="passkey-name" name="name" maxlength={60} autocomplete="off" />
        <button type="submit">Add a passkey</button>
      </form>
    </section>
  );
}

function Github({ login, offered }: { login: string | null; offered: boolean }) {
  return (
    <section aria-labelledby="github">
      <h2 id="github">GitHub</h2>
      {login !== null ? (
        <form method="post" action="/developers/github/disconnect">
          <p>
            Connected to the GitHub user <strong>{login}</strong>.
          </p>
          <button type="submit">Disconnect GitHub</button>
        </form>
      ) : (
        offered && (
          <form method="post" action="/developers/github">
            <button type="submit">Connect GitHub</button>
          </form>
        )
      )}
    </section>
  );
}

function Sessions({
  overview: { sessions },
  sessionId,
}: {
  overview: Overview;
  sessionId: string | null;
}) {
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul class="cards stack">
        {sessions.map(({ id, browser, createdAt, expiresAt }) => (
          <li class="card stack">
            <p>
              <strong>{browser}</strong>
              {id === sessionId && ' (this browser)'}, since <Moment at={createdAt} />, until{' '}
              <Moment at={expiresAt} time={false} />
            </p>
            {id !== sessionId && (
              <form method="post" action={`/developers/sessions/${id}/end`}>
                <button type="submit">
                  Sign out <span class="hidden">{browser}</span>
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
