/** What a tool's definition gives the documents: its page's text, its parameters and its limits. */
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import { parametersSchema } from '../../src/catalogue/json-schema.ts';
import type { Tool } from '../../src/core/define-tool.ts';
import { type Limit, MB } from '../../src/core/limits.ts';
import { propertyTable, table } from '../property-table.ts';

/** Puts the generated tables where a document marks their place. */
export function fillMarkers(markdown: string, tool: Tool): string {
  return markdown
    .replace(/^<!--\s*parameters\s*-->$/m, () => parametersText(tool))
    .replace(/^<!--\s*limits\s*-->$/m, () => limitsText(tool));
}

/** The tool's page on the site: what it is and takes, in short. */
export function pageText(tool: Tool): string {
  const call = `curl -s {base_url}/api/v1/tools/execute -H 'Content-Type: application/json' -d '{"tool":"${tool.name}","parameters":{…}}'`;
  const takes = isExecutable(tool)
    ? `\`\`\`sh\n${tool.files ? `curl -s {base_url}/api/v1/tools/execute -F tool=${tool.name} -F ${tool.files.max > 1 ? 'files' : 'file'}=@…` : call}\n\`\`\``
    : `It runs in your browser, at {base_url}/tools/${tool.name}: what you give it does not leave your machine.`;
  return [
    tool.description,
    takes,
    `Parameters, examples and errors: [its document](/docs/tools/${tool.name}).`,
  ].join('\n\n');
}

const parametersText = (tool: Tool): string =>
  propertyTable('Parameters', parametersSchema(tool)) || 'It has no parameters.';

function limitsText({ files, limits, access }: Tool): string {
  const rows: string[][] = limits.map((limit) => ['Calls', callsOf(limit)]);
  if (access === 'account') rows.push(['Who may call', 'an account: sign in, or send its API key']);
  else if (access !== 'anyone') {
    rows.push(['Without an account', `${access.anonymousPerHour} calls an hour per IP address`]);
  }
  if (files) {
    rows.push(['Files', files.max === 1 ? 'one' : `${files.min} to ${files.max}`]);
    rows.push(['Size of a file', `at most ${files.maxBytes / MB} MB`]);
    if (files.maxTotalBytes) {
      rows.push(['All files together', `at most ${files.maxTotalBytes / MB} MB`]);
    }
  }
  if (rows.length === 0) return 'Only the general limits of the service apply.';
  return table(['Limit', 'value'], rows);
}

const callsOf = ({ calls, per, by }: Limit): string =>
  `${calls} per ${per} per ${by === 'ip' ? 'IP address' : by}`;
