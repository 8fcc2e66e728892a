/** A chain as code: curl, TypeScript, Python. */
import { type Call, pythonLiteral, quoted } from '../tool/call-code.ts';
import type { Step } from './steps.ts';

/** As POST /api/v1/tools/chain takes it. */
export const toolChainOf = (steps: readonly Step[]) =>
  steps.map(({ tool, parameters }) => ({
    tool: tool.name,
    ...(Object.keys(parameters).length > 0 && { parameters }),
  }));

export function chainCalls(steps: readonly Step[], baseUrl: string): Call[] {
  const url = `${baseUrl}/api/v1/tools/chain`;
  const toolChain = toolChainOf(steps);
  const needsKey = steps.some(({ tool }) => tool.access === 'account');
  const lines = (write: (step: object) => string, indent: string) =>
    toolChain.map((step) => `${indent}${write(step)}`).join(',\n');
  const body = `{ "toolChain": [\n${lines(JSON.stringify, '    ')}\n  ] }`;
  return [
    {
      language: 'curl',
      code: [
        `curl -s ${url}`,
        ...(needsKey ? ["-H 'Authorization: Bearer YOUR_KEY'"] : []),
        "-H 'Content-Type: application/json'",
        `-d ${quoted(body)}`,
      ].join(' \\\n  '),
    },
    {
      language: 'TypeScript',
      code: `const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json'${needsKey ? ", Authorization: 'Bearer YOUR_KEY'" : ''} },
  body: JSON.stringify({
    toolChain: [
${lines(JSON.stringify, '      ')},
    ],
  }),
});
if (!response.ok) throw new Error((await response.json()).error);
const { completed, results, output } = await response.json();`,
    },
    {
      language: 'Python',
      code: `import requests

response = requests.post(
    "${url}",${needsKey ? '\n    headers={"Authorization": "Bearer YOUR_KEY"},' : ''}
    json={"toolChain": [
${lines(pythonLiteral, '        ')},
    ]},
)
response.raise_for_status()
output = response.json()["output"]`,
    },
  ];
}
