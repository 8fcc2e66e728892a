/**
 * Generates the files of a new tool that processes text at the edge. They work and pass their tests before the
 * placeholders are filled in.
 */
import { type NewTool, sections } from './new-tool.ts';

export function textToolFiles(tool: NewTool): Record<string, string> {
  const { name } = tool;
  const folder = `src/tools/${name}`;
  return {
    [`${folder}/${name}.ts`]: definition(tool),
    [`${folder}/${name}.test.ts`]: test(tool),
    [`${folder}/${name}.md`]: documentText(tool),
    [`${folder}/sample.ts`]: sample(tool),
  };
}

const definition = ({ name, constant, title, shortName }: NewTool) => `/**
 * ${name}: FILL IN: what it does, and the specification that it follows.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';

export const ${constant} = defineTool({
  name: '${name}',
  title: '${title}',
  shortName: '${shortName}',
  // FILL IN: the kind, one of KINDS in core/define-tool.ts.
  kind: 'text',
  // FILL IN: the name of an icon on https://lucide.dev.
  icon: 'wrench',
  domain: null,
  description: 'FILL IN: what it does, when to use it, what it returns, the limits that matter.',
  input: z.strictObject({
    text: z.string().describe('FILL IN: what the parameter is.'),
  }),
  output: z.object({ text: z.string().describe('FILL IN: what the field is.') }),
  example: { parameters: { text: 'Hello, world!' } },
  form: { text: { rows: 6 } },
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  run({ text }) {
    // FILL IN: the work. This returns the text unchanged.
    return json({ text });
  },
});
`;

const test = ({ name, constant }: NewTool) => `import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { ${constant} } from './${name}.ts';

describe('${name}', () => {
  it('FILL IN: a fact about the tool, in one sentence', async () => {
    const { value } = await runTool(${constant}, { text: 'Hello, world!' });
    expect(value).toEqual({ text: 'Hello, world!' });
  });

  it('refuses a call without a text', async () => {
    await expect(runTool(${constant}, {})).rejects.toMatchObject({ status: 400, param: 'text' });
  });
});
`;

const sample = ({
  name,
}: NewTool) => `/** The sample call to ${name} that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

// FILL IN: the result of the definition's example.
export const sample: Sample = { result: { text: 'Hello, world!' }, shows: 'Hello, world!' };
`;

const call = (name: string, text: string) => `\`\`\`json call
{"tool":"${name}","parameters":{"text":"${text}"}}
\`\`\`

\`\`\`json result
{ "text": "${text}" }
\`\`\`
`;

const documentText = (tool: NewTool) =>
  sections(tool, {
    examples: `Each call is the JSON body of a POST to \`{base_url}/api/v1/tools/execute\`.

### FILL IN: what the example shows

${call(tool.name, 'Hello, world!')}
### FILL IN: another example

${call(tool.name, 'Grüße')}
### FILL IN: a third example

${call(tool.name, '')}`,
    errors: `- 400, \`param: text\`: missing, or not a string. FILL IN: the other errors.

\`\`\`json call
{"tool":"${tool.name}","parameters":{}}
\`\`\`

\`\`\`json error 400
{ "error": "…", "code": "bad_request", "param": "text", "…": "…" }
\`\`\``,
  });
