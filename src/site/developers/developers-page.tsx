/** Renders the /developers page: sign-in, keys, usage and account. */
import type { Overview } from '../../access/accounts/overview.ts';
import type { NoSignIn, SignInSite } from '../../access/accounts/sign-in-site.ts';
import { toolCounts } from '../../catalogue/counts.ts';
import type { FirstCall } from '../../core/reference.ts';
import { Layout } from '../design/layout.tsx';
import { Starts } from '../docs/starts.tsx';
import type { Site } from '../site.ts';
import { AccountSection } from './account-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { NoticeBox } from './notice-box.tsx';
import type { Notice } from './notices.ts';
import { SignedOut } from './signed-out.tsx';
import { UsageSection } from './usage-section.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

interface DevelopersPageProps {
  site: Site;
  signInAt: SignInSite | NoSignIn;
  /** Whether sign-in with GitHub is configured. */
  github: boolean;
  /** Whether sign-in with the team's identity provider is configured. */
  singleSignOn: boolean;
  /** Whether anonymous callers are refused and accounts are created only by single sign-on. */
  closed: boolean;
  /** Whether calls are counted. */
  hasLimits: boolean;
  /** The names of the tools that are switched off on this server. */
  off: ReadonlySet<string>;
  sessionId: string | null;
  /** The data of the signed-in visitor, or null if nobody is signed in. */
  overview: Overview | null;
  /** The example for visitors who are not signed in. Undefined if it cannot be read. */
  example: FirstCall | undefined;
  notice: Notice | undefined;
  now: number;
}

export function DevelopersPage(props: DevelopersPageProps) {
  const { site, closed, overview, notice, ...others } = props;
  return (
    <Layout
      site={site}
      title={`Developers · ${site.serviceName}`}
      description={
        closed
          ? `Create API keys for ${site.serviceName}. You need an account.`
          : `Create API keys for ${site.serviceName}: a trial key without an account, or permanent keys with a passkey.`
      }
      scripts={['passkey.js']}
    >
      <div class="developers stack loose">
        <div class="stack tight">
          <h1>Developers</h1>
          {overview ? <SignedInAs name={overview.account.name} /> : <Lead {...props} />}
        </div>
        <NoticeBox notice={notice} baseUrl={site.baseUrl} />
        <p id="problem" role="alert" class="notice bad" hidden />
        {overview ? (
          <Account overview={overview} {...others} />
        ) : (
          <SignedOut
            closed={closed}
            newKey={notice?.kind === 'key' ? notice.key : undefined}
            {...others}
          />
        )}
      </div>
    </Layout>
  );
}

const Lead = ({
  closed,
  hasLimits,
  off,
}: Pick<DevelopersPageProps, 'closed' | 'hasLimits' | 'off'>) => (
  <p class="lead">
    {closed
      ? 'This service requires an account. Sign in to create an API key.'
      : `Call ${toolCounts(off).api} tools from your code. You can start without a key; a key ${hasLimits ? 'raises the limits and ' : ''}records your usage.`}
  </p>
);

const SignedInAs = ({ name }: { name: string }) => (
  <div class="cluster apart">
    <p>
      Signed in as <strong>{name}</strong>
    </p>
    <form method="post" action="/developers/sign-out">
      <button type="submit">Sign out</button>
    </form>
  </div>
);

type AccountProps = Pick<DevelopersPageProps, 'github' | 'hasLimits' | 'sessionId' | 'now'> & {
  overview: Overview;
};

function Account({ overview, github, hasLimits, sessionId, now }: AccountProps) {
  const { account, keys, webhookAttempts } = overview;
  return (
    <>
      {account.recoveryCodes === 0 && !account.singleSignOn && (
        <p class="notice">
          You have no recovery codes. If you lose every way to sign in, you lose this account.{' '}
          <a href="#recovery">Create codes</a>
        </p>
      )}
      <Starts />
      <div class="account-parts">
        <div class="account stack loose">
          <KeysSection keys={keys} hasLimits={hasLimits} now={now} />
          <UsageSection overview={overview} now={now} />
          <WebhooksSection attempts={webhookAttempts} />
        </div>
        <div class="account stack loose">
          <AccountSection overview={overview} github={github} sessionId={sessionId} />
        </div>
      </div>
    </>
  );
}
