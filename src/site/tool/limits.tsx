/** Renders what a tool accepts, how often it may run, and what happens to the input, in everyday words. */
import { GENERAL_LIMITS } from '../../access/general-limits.ts';
import { filesText } from '../../catalogue/limit-facts.ts';
import type { Tool } from '../../core/define-tool.ts';
import { type Fact, Facts } from '../design/facts.tsx';
import type { Site } from '../site.ts';
import { deletedText, STORED } from './file-field.tsx';

interface LimitsProps {
  site: Site;
  tool: Tool;
  /** Whether the tool runs in its page. */
  isInBrowser: boolean;
}

export function Limits({ site, tool, isInBrowser }: LimitsProps) {
  const { files } = tool;
  const facts: Fact[] = [
    [
      'Privacy',
      <>
        {privacyText(tool, isInBrowser)} <a href="/privacy">More</a>
      </>,
    ],
  ];
  if (!isInBrowser) facts.unshift(['Runs', <Runs site={site} tool={tool} />]);
  if (files) facts.unshift(['Files', filesText(files)]);
  return (
    <section class="stack tight" aria-labelledby="limits">
      <h2 id="limits">Limits and privacy</h2>
      <Facts facts={facts} />
    </section>
  );
}

function Runs({ site, tool: { limits, access } }: { site: Site; tool: Tool }) {
  const { anonymous, known } = GENERAL_LIMITS.execution;
  const account = <a href="/developers">an account</a>;
  const own = site.isLimited
    ? limits.map(({ calls, per }) => `${calls} ${per === 'day' ? 'a day' : `per ${per}`}`)
    : ['No limit on the number of runs'];
  if (access === 'account' || site.requireSignIn)
    return (
      <>
        {own.map((text) => `${text}, `)}with {account}
      </>
    );
  if (!site.isLimited) return <>{own}</>;
  const texts =
    access === 'anyone'
      ? own
      : [
          ...own.map((text) => `${text} with an account`),
          `${access.anonymousPerHour} per hour without one`,
        ];
  return (
    <>
      {texts.map((text) => `${text}. `)}
      All tools together: {anonymous.calls} per {anonymous.per}, or {known.calls} per {known.per}{' '}
      with {account}.
    </>
  );
}

function privacyText({ files, needs, kind }: Tool, isInBrowser: boolean): string {
  if (isInBrowser) return 'Everything stays in your browser.';
  if (files) return files.isStored ? STORED : deletedText(files.max > 1);
  if (kind === 'web') return 'The service opens the page for you, without your cookies.';
  if (needs.includes('models')) return 'Your input is sent to the model that this service uses.';
  return 'The short link and its target are stored permanently.';
}
