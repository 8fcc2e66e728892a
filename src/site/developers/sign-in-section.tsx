/** Renders the ways to get a key: a trial key without an account, or sign-in. */
import type { NoSignIn, SignInSite } from '../../access/accounts/sign-in-site.ts';
import { QUOTAS } from '../../access/api-keys.ts';
import { OnceField } from './once-field.tsx';

export function TrialKeyCard({ hasLimits }: { hasLimits: boolean }) {
  const requests = `${QUOTAS.trial.requestsPerDay.toLocaleString('en')} requests in `;
  return (
    <form class="card" method="post" action="/developers/trial-key">
      <h3>Try it for a day</h3>
      <p class="small soft">
        A trial key for {hasLimits && requests}24 hours. You need no account.
      </p>
      <OnceField />
      <button type="submit" class="main">
        Create a trial key
      </button>
    </form>
  );
}

interface SignInSectionProps {
  signInAt: SignInSite | NoSignIn;
  github: boolean;
  /** Whether sign-in with the team's identity provider is configured. */
  singleSignOn: boolean;
  /** Whether only the identity provider creates accounts. */
  closed: boolean;
}

export function SignInSection({ signInAt, github, singleSignOn, closed }: SignInSectionProps) {
  if (!('origin' in signInAt)) {
    return (
      <p class="notice">
        Sign-in is not available at this address. {signInAt.why} Open{' '}
        <a href={signInAt.goTo}>{signInAt.goTo}</a> instead
        {signInAt.goTo.startsWith('http://localhost') && ', on the machine that runs the service'}.
      </p>
    );
  }
  return (
    <>
      {!closed && (
        <form class="card" method="post" action="/developers/sign-up" data-passkey="create">
          <h3>Create an account</h3>
          <p class="small soft">
            Your keys work until you revoke them. You need no password and no email address.
          </p>
          <label for="account-name">Account name</label>
          <input id="account-name" name="name" required maxlength={60} autocomplete="username" />
          <button type="submit">Create an account with a passkey</button>
        </form>
      )}
      <div class="card stack">
        <h3>Sign in</h3>
        {singleSignOn && (
          <a class="button" href="/developers/oidc">
            Sign in with single sign-on
          </a>
        )}
        <form method="post" action="/developers/sign-in" data-passkey="get">
          <button type="submit">Sign in with a passkey</button>
        </form>
        {github && (
          <form method="post" action="/developers/github">
            <button type="submit">Continue with GitHub</button>
          </form>
        )}
        <noscript>
          <p class="notice">Passkeys need JavaScript, which is disabled in this browser.</p>
        </noscript>
        <details>
          <summary>I lost my passkeys</summary>
          <form method="post" action="/developers/recover">
            <label for="code">Recovery code</label>
            <input
              id="code"
              name="code"
              required
              maxlength={40}
              autocomplete="off"
              spellcheck={false}
            />
            <button type="submit">Sign in with the code</button>
          </form>
        </details>
      </div>
    </>
  );
}
