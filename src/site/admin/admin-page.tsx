/**
 * Renders the pages under /admin: the overview of reports, blocks and actions, the search results with the available
 * actions, and the newest entries.
 */
import { ACTS, type ActName } from '../../admin/acts.ts';
import type { Found, Overview } from '../../admin/find.ts';
import type { Row } from '../../admin/rows.ts';
import { type AdminAction, type Subject, subjectText } from '../../core/moderation.ts';
import { Facts } from '../design/facts.tsx';
import { Layout } from '../design/layout.tsx';
import { Table } from '../design/table.tsx';
import { Moment } from '../developers/moments.tsx';
import type { Site } from '../site.ts';
import { ActForm } from './act-form.tsx';

interface AdminPageProps {
  site: Site;
  overview?: Overview;
  newest?: { links: Row[]; files: Row[] };
  found?: Found;
  query: string;
  isFresh: boolean;
  problem: string | undefined;
  /** The action that was just performed. */
  done: string | undefined;
}

export function AdminPage(props: AdminPageProps) {
  const { site, overview, newest, found, query, isFresh, problem, done } = props;
  const title = found ? subjectText(found.subject) : 'Administration';
  return (
    <Layout
      site={site}
      title={`${title} · ${site.serviceName}`}
      description="For the operators of this service."
      scripts={['passkey.js']}
    >
      <div class="developers account stack loose">
        <h1>{title}</h1>
        <p>
          <a href="/admin">Reports and blocks</a> · <a href="/admin/newest">Newest</a>
        </p>
        {done && (
          <p class="notice" role="status">
            Done: {done}. The change applies everywhere within a minute.
          </p>
        )}
        {problem && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        <p id="problem" role="alert" class="notice bad" hidden />
        {!isFresh && (
          <form class="notice" method="post" action="/admin/confirm" data-passkey="get">
            <p>Confirm your passkey before you make a change. The confirmation lasts 15 minutes.</p>
            <button type="submit">Confirm with your passkey</button>
          </form>
        )}
        <form method="get" action="/admin/find">
          <label for="q">Link, file, key, account, report, network, maker or host</label>
          <input id="q" name="q" value={query} required maxlength={2000} spellcheck={false} />
          <button type="submit">Find</button>
        </form>
        {overview && <OverviewLists overview={overview} />}
        {newest && (
          <>
            <Rows title="Newest links" rows={newest.links} />
            <Rows title="Files from the last 24 hours" rows={newest.files} />
          </>
        )}
        {found && <FoundSubject found={found} />}
      </div>
    </Layout>
  );
}

function OverviewLists({ overview: { reports, blocks, acts } }: { overview: Overview }) {
  return (
    <>
      <Rows title="Open reports" rows={reports} />
      <Rows title="Blocks" rows={blocks} />
      <section aria-labelledby="block">
        <h2 id="block">Block</h2>
        <ActForm act="block" />
      </section>
      <Acts acts={acts} />
    </>
  );
}

function FoundSubject({ found: { subject, facts, related, acts } }: { found: Found }) {
  return (
    <>
      <section aria-label="Facts">
        <Facts facts={facts} />
      </section>
      <Rows title="Related" rows={related} />
      {actsOn(subject).map((act) => (
        <details>
          <summary>{act}</summary>
          <ActForm act={act} subject={subject} facts={facts} />
        </details>
      ))}
      <Acts acts={acts} />
    </>
  );
}

const actsOn = ({ kind }: Subject) =>
  (Object.keys(ACTS) as ActName[]).filter((act) => (ACTS[act] as readonly string[]).includes(kind));

function Rows({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p>None.</p>
      ) : (
        <Table label={title} columns={['Subject', 'What', 'When (UTC)']}>
          {rows.map(({ subject, at, text }) => (
            <tr>
              <td>
                <SubjectLink subject={subject} />
              </td>
              <td>{text}</td>
              <td>{at > 0 && <Moment at={at} />}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function Acts({ acts }: { acts: readonly AdminAction[] }) {
  return (
    <section aria-label="Acts">
      <h2>Acts</h2>
      {acts.length === 0 ? (
        <p>None.</p>
      ) : (
        <Table label="Acts" columns={['When (UTC)', 'Who', 'Act', 'Subject', 'Why']}>
          {acts.map(({ at, who, act, subject, note }) => (
            <tr>
              <td>
                <Moment at={at} />
              </td>
              <td>{who}</td>
              <td>{act}</td>
              <td>
                <SubjectLink subject={subject} />
              </td>
              <td>{note}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

const SubjectLink = ({ subject }: { subject: string }) => (
  <a href={`/admin/find?q=${encodeURIComponent(subject)}`}>{subject}</a>
);
