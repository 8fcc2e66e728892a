/** For visitors who are not signed in: a trial key, and the sign-in methods. */
import type { NoSignIn, SignInSite } from '../../access/accounts/sign-in-site.ts';
import { QUOTAS } from '../../access/api-keys.ts';
import { OnceField } from './once-field.tsx';

const number = (value: number) => value.toLocaleString('en');

export function TrialKeySection() {
  return (
    <section aria-labelledby="trial">
      <h2 id="trial">A trial key without an account</h2>
      <p>
        For 24 hours, {number(QUOTAS.trial.requestsPerDay)} requests and{' '}
        {number(QUOTAS.trial.tokensPerMonth)} model tokens. No account is needed.
      </p>
      <form method="post" action="/developers/trial-key">
        <OnceField />
        <button type="submit" class="main">
          Create a trial key
        </button>
      </form>
    </section>
  );
}

export function SignInSection({
  signInAt,
  github,
  singleSignOn,
  closed,
}: {
  signInAt: SignInSite | NoSignIn;
  github: boolean;
  /** Whether sign-in with the team's identity provider is configured. */
  singleSignOn: boolean;
  /** Whether only the identity provider creates accounts. */
  closed: boolean;
}) {
  if (!('origin' in signInAt)) {
    return (
      <section aria-labelledby="sign-in">
        <h2 id="sign-in">A permanent key</h2>
        <p class="notice">
          Sign-in is not available at this address. {signInAt.why} Open{' '}
          <a href={signInAt.goTo}>{signInAt.goTo}</a> instead
          {signInAt.goTo.startsWith('http://localhost') && ', on the machine that runs the service'}
          .
        </p>
      </section>
    );
  }
  return (
    <section aria-labelledby="sign-in">
      <h2 id="sign-in">A permanent key</h2>
      <p>
        Account keys work until you revoke them, with {number(QUOTAS.persistent.requestsPerDay)}{' '}
        requests a day, and open the tools that need an account.
      </p>
      <noscript>
        <p class="notice">Passkeys need scripts, which are disabled in this browser.</p>
      </noscript>
      <div class="ways">
        {singleSignOn && (
          <div class="card">
            <h3>Your organisation</h3>
            <a class="button" href="/developers/oidc">
              Sign in with single sign-on
            </a>
          </div>
        )}
        <form class="card" method="post" action="/developers/sign-in" data-passkey="get">
          <h3>I have an account</h3>
          <button type="submit">Sign in with a passkey</button>
        </form>
        {!closed && (
          <form class="card" method="post" action="/developers/sign-up" data-passkey="create">
            <h3>Create an account</h3>
            <label for="account-name">Account name</label>
            <input id="account-name" name="name" required maxlength={60} autocomplete="username" />
            <button type="submit">Create an account with a passkey</button>
          </form>
        )}
        {github && (
          <form class="card" method="post" action="/developers/github">
            <h3>Either way</h3>
            <button type="submit">Continue with GitHub</button>
          </form>
        )}
      </div>
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
    </section>
  );
}
