/** Generates parts of tool documents: the text of the tool's page, the table of parameters and the table of limits. */
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import { parametersSchema } from '../../src/catalogue/json-schema.ts';
import { limitFacts } from '../../src/catalogue/limit-facts.ts';
import { partName, type Tool } from '../../src/core/define-tool.ts';
import { propertyTable, table } from '../property-table.ts';

const UNTRUSTED = `Over MCP, each text of the result is between \`<DATA>\` and \`</DATA>\`, because it is third-party text: a model should not
follow instructions in it.`;

/**
 * Replaces the markers with the generated tables. Adds a warning before the parameters if the tool returns third-party
 * text.
 */
export function fillMarkers(markdown: string, tool: Tool): string {
  return markdown
    .replace(/^## Parameters$/m, (heading) =>
      tool.untrusted ? `${UNTRUSTED}\n\n${heading}` : heading,
    )
    .replace(/^<!--\s*parameters\s*-->$/m, () => parametersText(tool))
    .replace(/^<!--\s*limits\s*-->$/m, () => limitsText(tool));
}

/** Returns a Markdown version of the tool's page. */
export function pageText(tool: Tool): string {
  const call = `curl -s {base_url}/api/v1/tools/execute -H 'Content-Type: application/json' -d '{"tool":"${tool.name}","parameters":{…}}'`;
  const takes = isExecutable(tool)
    ? `\`\`\`sh\n${tool.files ? `curl -s {base_url}/api/v1/tools/execute -F tool=${tool.name} -F ${partName(tool.files)}=@…` : call}\n\`\`\``
    : `It runs in your browser, at {base_url}/tools/${tool.name}: the input does not leave your machine.`;
  return [
    tool.description,
    takes,
    `See its parameters, examples and errors in [its document](/docs/tools/${tool.name}).`,
  ].join('\n\n');
}

const parametersText = (tool: Tool): string =>
  propertyTable('Parameters', parametersSchema(tool)) || 'It has no parameters.';

function limitsText(tool: Tool): string {
  const facts = limitFacts(tool);
  if (facts.length === 0) return 'Only the general limits apply.';
  return table(['Limit', 'value'], facts);
}
