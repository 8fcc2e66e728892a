/** Describes a tool's own limits as text, for its document and its pages. */
import type { FileInput, Tool } from '../core/define-tool.ts';
import { type Limit, MB } from '../core/limits.ts';

/**
 * Returns the tool's limits as pairs: the property that is limited, and its limit. The list is empty if only the
 * general limits apply.
 */
export function limitFacts({ files, limits, access }: Tool): [what: string, most: string][] {
  const facts: [string, string][] = limits.map((limit) => [
    typeof access === 'object' ? 'With an account' : 'Calls',
    callsOf(limit),
  ]);
  if (access === 'account')
    facts.push(['Access', "accounts only: sign in, or send the account's API key"]);
  else if (access !== 'anyone') {
    facts.push(['Without an account', `${access.anonymousPerHour} calls an hour per IP address`]);
  }
  if (files) {
    facts.push(['Files', files.max === 1 ? 'one' : `${files.min} to ${files.max}`]);
    facts.push(['Size of a file', `at most ${files.maxBytes / MB} MB`]);
    if (files.maxTotalBytes) {
      facts.push(['All files together', `at most ${files.maxTotalBytes / MB} MB`]);
    }
  }
  return facts;
}

const callsOf = ({ calls, per, by }: Limit): string =>
  `${calls} per ${per} per ${by === 'ip' ? 'IP address' : by}`;

/** Describes the number and size of the files that one run accepts. */
export function filesText({ min, max, maxBytes, maxTotalBytes }: FileInput): string {
  const most = `${maxBytes / MB} MB`;
  if (max === 1) return `At most ${most}`;
  const count = `${min} to ${max} files`;
  if (maxTotalBytes === undefined) return `${count}, ${most} each`;
  if (maxTotalBytes === maxBytes) return `${count}, ${most} together`;
  return `${count}, ${most} each, ${maxTotalBytes / MB} MB together`;
}
