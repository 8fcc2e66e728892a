/** Writes a chain as code in curl, TypeScript and Python. */
import { type Call, pythonLiteral, quoted } from '../tool/call-code.ts';
import { filledByUpload } from './data-flow.ts';
import { isUpload, type Step, uploadedBy } from './steps.ts';

/** A placeholder for the link to a file that has not been uploaded yet. */
export const FILE_URL = 'FILE_URL';

/** Returns the body of POST /api/v1/tools/chain. The links to uploaded files become parameters of the next step. */
export function toolChainOf(steps: readonly Step[]) {
  const [first] = steps;
  if (!first || !isUpload(first)) return steps.map(calledStep);
  const links = uploadedBy(first);
  if (links.length === 0) links.push(FILE_URL);
  const reference = `{{steps.${first.id}.result.url}}`;
  return steps.slice(1).map((step, index) => {
    const fed = filledByUpload(steps, index + 1).map((name) => [
      name,
      name === 'fileUrls' ? links : links[0],
    ]);
    const text = JSON.stringify(step.parameters).replaceAll(reference, () => links[0]!);
    const parameters = { ...Object.fromEntries(fed), ...JSON.parse(text) };
    return calledStep({ ...step, parameters });
  });
}

const calledStep = ({ tool, id, parameters }: Step) => ({
  tool: tool.name,
  id,
  ...(Object.keys(parameters).length > 0 && { parameters }),
});

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
