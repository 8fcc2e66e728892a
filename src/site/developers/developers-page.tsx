/** /developers: sign-in, keys, usage, account. */
import type { Overview } from '../../access/accounts/overview.ts';
import type { NoSignIn, SignInSite } from '../../access/accounts/sign-in-site.ts';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import { AccountSection } from './account-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { NoticeBox } from './notice-box.tsx';
import type { Notice } from './notices.ts';
import { SignInSection, TrialKeySection } from './sign-in-section.tsx';
import { UsageSection } from './usage-section.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

interface DevelopersPageProps {
  site: Site;
  signInAt: SignInSite | NoSignIn;
  /** Whether sign-in with GitHub is configured. */
  github: boolean;
  /** Whether sign-in with the team's identity provider is configured. */
  singleSignOn: boolean;
  /** Whether anonymous callers are refused, and only the identity provider creates accounts. */
  closed: boolean;
  sessionId: string | null;
  /** The data of the signed-in visitor; null if nobody is signed in. */
  overview: Overview | null;
  notice: Notice | undefined;
  now: number;
}

export function DevelopersPage(props: DevelopersPageProps) {
  const { site, signInAt, github, singleSignOn, closed, sessionId, overview, notice, now } = props;
  return (
    <Layout
      site={site}
      title={`Developers · ${site.serviceName}`}
      description={`API keys for ${site.serviceName}: a trial key without an account, permanent keys with a passkey.`}
      scripts={['passkey.js']}
    >
      <div class="developers stack loose">
        <h1>Developers</h1>
        <NoticeBox notice={notice} baseUrl={site.baseUrl} />
        <p id="problem" role="alert" class="notice bad" hidden />
        {overview ? (
          <>
            <div class="cluster apart">
              <p>
                Signed in as <strong>{overview.account.name}</strong>
              </p>
              <form method="post" action="/developers/sign-out">
                <button type="submit">Sign out</button>
              </form>
            </div>
            {overview.account.recoveryCodes === 0 && !overview.account.singleSignOn && (
              <p class="notice">
                You have no recovery codes. Without them you lose this account if you lose every
                passkey. <a href="#recovery">Make some</a>
              </p>
            )}
            <KeysSection keys={overview.keys} now={now} />
            <UsageSection overview={overview} now={now} />
            <WebhooksSection attempts={overview.webhookAttempts} />
            <AccountSection overview={overview} github={github} sessionId={sessionId} />
          </>
        ) : (
          <>
            <p class="lead">
              {closed
                ? 'This service requires an account. Sign in to create an API key.'
                : 'No key is needed to call the API. A key raises the limits, and its usage is counted here.'}
            </p>
            {!closed && <TrialKeySection />}
            <SignInSection {...{ signInAt, github, singleSignOn, closed }} />
          </>
        )}
      </div>
    </Layout>
  );
}
