/** Parses and runs the commands of `npm run admin`, which correspond to the pages under /admin. */
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { ACTS, type ActFields, perform } from '../src/admin/acts.ts';
import { Finder, type Found, type Overview } from '../src/admin/find.ts';
import { moment, type Row } from '../src/admin/rows.ts';
import type { AdminStores, Operating } from '../src/admin/stores.ts';
import { type AdminAction, REASONS, subjectText } from '../src/core/moderation.ts';
import { type EnvironmentName, environmentNamed } from './deployment/environment-bindings.ts';

export const USAGE = `Usage: npm run admin                           open reports, blocks and the latest acts
       npm run admin -- newest [--hours N]     the newest links, and the files of the last N hours (24)
       npm run admin -- find WHAT              WHAT: a link, an ID, a key, an address, a name or KIND:VALUE
       npm run admin -- ACT KIND:VALUE --note WHY [options]

  remove file:ID | link:CODE --reason R   returns 410 with the reason
  warn link:CODE --reason R               shows a warning before the target
  restore link:CODE                       redirects again
  block KIND:VALUE [--expires DATE]       network, account, key, maker (callers) or host (targets of links)
  unblock KIND:VALUE
  revoke key:KEY
  quotas key:KEY [--requests-per-day N] [--tokens-per-month N] [--bytes-per-day N]
  close report:ID

  --reason      ${Object.keys(REASONS).join(', ')}
  --expires     2027-01-31 (to the end of that day, UTC), or 2027-01-31T12:00:00Z
  --my-address  your address, which no block may contain; by default, the service reports it
  --remote      acts on the deployed service instead of the local one (STATE_DIR)
  --env         the environment of that service: staging, or production by default`;

export interface AdminCommand {
  name: string;
  fields: ActFields;
  hours: number;
  myAddresses: string[];
  /** The wrangler.toml environment whose deployed service the command acts on, or null for the local service. */
  remote: EnvironmentName | null;
  help: boolean;
}

/** Parses the arguments. Throws an error that names the invalid argument. */
export function parseAdminCommand(words: string[]): AdminCommand {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      reason: text,
      note: text,
      expires: text,
      hours: text,
      env: { type: 'string', default: 'production' },
      'my-address': { type: 'string', multiple: true, default: [] },
      'requests-per-day': text,
      'tokens-per-month': text,
      'bytes-per-day': text,
      remote: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const [name = 'overview', subject, ...rest] = positionals;
  if (!['overview', 'newest', 'find'].includes(name) && !Object.hasOwn(ACTS, name)) {
    throw new Error(`Unknown command: ${name}.\n\n${USAGE}`);
  }
  if (rest.length > 0)
    throw new Error(`Unexpected argument "${rest[0]}". Quote text that contains spaces.`);
  const hours = Number(values.hours ?? 24);
  if (!(hours > 0 && hours <= 192))
    throw new Error('--hours must be greater than 0 and at most 192.');
  const myAddresses = values['my-address'];
  const wrong = myAddresses.find((address) => !isIP(address));
  if (wrong !== undefined) throw new Error(`--my-address must be an IP address, not ${wrong}.`);
  return {
    name,
    fields: {
      act: name,
      subject,
      note: values.note,
      reason: values.reason,
      expires: values.expires,
      requestsPerDay: values['requests-per-day'],
      tokensPerMonth: values['tokens-per-month'],
      bytesPerDay: values['bytes-per-day'],
    },
    hours,
    myAddresses,
    remote: values.remote ? environmentNamed(values.env) : null,
    help: values.help === true,
  };
}

/** Runs the command and returns the lines to print. */
export async function runAdminCommand(
  { name, fields, hours }: AdminCommand,
  stores: AdminStores,
  operating: Operating,
  now: number,
): Promise<string[]> {
  const finder = new Finder(stores);
  switch (name) {
    case 'overview':
      return overviewLines(await finder.overview(now));
    case 'newest': {
      const { links, files } = await finder.newest(hours);
      return [
        ...rowLines('Newest links', links),
        ...rowLines(`Files from the last ${hours} h`, files),
      ];
    }
    case 'find':
      return foundLines(await finder.find(fields.subject ?? '', now));
    default: {
      const subject = await perform(stores, operating, fields, now);
      return [
        `Done: ${name} ${subjectText(subject)}. The change applies everywhere within a minute.`,
      ];
    }
  }
}

const overviewLines = ({ reports, blocks, acts }: Overview): string[] => [
  ...rowLines('Open reports', reports),
  ...rowLines('Blocks', blocks),
  ...actLines(acts),
];

const foundLines = ({ subject, facts, related, acts }: Found): string[] => [
  subjectText(subject),
  ...facts.map(([name, value]) => `${name}\t${value.replaceAll('\n', ' ')}`),
  ...rowLines('Related', related),
  ...actLines(acts),
];

const rowLines = (title: string, rows: readonly Row[]): string[] =>
  listLines(
    title,
    rows.map(({ subject, at, text }) => [at > 0 ? moment(at) : '', subject, text]),
  );

const actLines = (acts: readonly AdminAction[]): string[] =>
  listLines(
    'Acts',
    acts.map(({ at, who, act, subject, note }) => [moment(at), who, act, subject, note]),
  );

const listLines = (title: string, rows: readonly (readonly string[])[]): string[] => [
  rows.length === 0 ? `${title}: none` : `${title}:`,
  ...rows.map((cells) => cells.join('\t')),
];
