/** The same call as code: curl, TypeScript, Python, and how an agent gets the tool over MCP. */
import type { Tool } from '../../core/define-tool.ts';
import { partName } from '../../execute/input-files.ts';
import { exampleOf } from './examples.ts';

export interface Call {
  language: string;
  code: string;
  /** How it is used, where that is not plain. */
  note?: string;
}

/** The calls for `tool` with its example, at a service at `baseUrl`. */
export function callsOf(tool: Tool, baseUrl: string): Call[] {
  const { parameters = {}, files = [] } = exampleOf(tool.name);
  const part = tool.files ? partName(tool.files) : '';
  const call = { tool, parameters, files, part, url: `${baseUrl}/api/v1/tools/execute` };
  const save = tool.produces ? resultName(tool) : null;
  return [
    { language: 'curl', code: curl(call, save) },
    { language: 'TypeScript', code: typescript(call, save) },
    { language: 'Python', code: python(call, save) },
    ...(tool.domain ? [mcp(tool, baseUrl)] : []),
  ];
}

interface ShownCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly string[];
  part: string;
  url: string;
}

const ENDINGS: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'image/webp': 'webp',
  'image/png': 'png',
};

const resultName = (tool: Tool) => `result.${ENDINGS[tool.produces?.[0] ?? ''] ?? 'bin'}`;

const hasAny = (parameters: object) => Object.keys(parameters).length > 0;

/** In single quotes, as a shell takes them. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ tool, parameters, files, part, url }: ShownCall, save: string | null): string {
  const key = tool.access === 'account' ? ["-H 'Authorization: Bearer YOUR_KEY'"] : [];
  const out = save ? [`-o ${save}`] : [];
  const content =
    files.length > 0
      ? [
          `-F tool=${tool.name}`,
          ...(hasAny(parameters) ? [`-F parameters=${quoted(JSON.stringify(parameters))}`] : []),
          ...files.map((name) => `-F ${part}=@${name}`),
        ]
      : [
          "-H 'Content-Type: application/json'",
          `-d ${quoted(JSON.stringify({ tool: tool.name, parameters }))}`,
        ];
  return [`curl -s ${url}`, ...key, ...content, ...out].join(' \\\n  ');
}

function typescript(
  { tool, parameters, files, part, url }: ShownCall,
  save: string | null,
): string {
  const key = tool.access === 'account' ? "Authorization: 'Bearer YOUR_KEY'" : '';
  const read = save
    ? `await writeFile('${save}', new Uint8Array(await response.arrayBuffer()));`
    : 'const result = await response.json();';
  const fail = 'if (!response.ok) throw new Error((await response.json()).error);';
  const imports = [
    ...(files.length > 0 ? ['openAsBlob'] : []).map((name) => `import { ${name} } from 'node:fs';`),
    ...(save ? ["import { writeFile } from 'node:fs/promises';"] : []),
  ];
  const head = imports.length > 0 ? `${imports.join('\n')}\n\n` : '';
  if (files.length === 0) {
    return `${head}const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json'${key && `, ${key}`} },
  body: JSON.stringify(${indent({ tool: tool.name, parameters })}),
});
${fail}
${read}`;
  }
  const set = hasAny(parameters)
    ? `\nform.set('parameters', JSON.stringify(${JSON.stringify(parameters)}));`
    : '';
  const attach = files
    .map((name) => `form.append('${part}', await openAsBlob('${name}'), '${name}');`)
    .join('\n');
  return `${head}const form = new FormData();
form.set('tool', '${tool.name}');${set}
${attach}
const response = await fetch('${url}', { method: 'POST',${key && ` headers: { ${key} },`} body: form });
${fail}
${read}`;
}

const indent = (value: unknown) => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

function python({ tool, parameters, files, part, url }: ShownCall, save: string | null): string {
  const key =
    tool.access === 'account' ? '\n    headers={"Authorization": "Bearer YOUR_KEY"},' : '';
  const read = save ? `open("${save}", "wb").write(response.content)` : 'result = response.json()';
  const body =
    files.length === 0
      ? `\n    json={"tool": "${tool.name}", "parameters": ${pythonLiteral(parameters)}},`
      : `\n    data={"tool": "${tool.name}"${hasAny(parameters) ? `, "parameters": json.dumps(${pythonLiteral(parameters)})` : ''}},
    files=[${files.map((name) => `("${part}", open("${name}", "rb"))`).join(', ')}],`;
  const needsJson = files.length > 0 && hasAny(parameters);
  return `${needsJson ? 'import json\n' : ''}import requests

response = requests.post(
    "${url}",${key}${body}
)
response.raise_for_status()
${read}`;
}

/** A JSON value as Python writes it. */
export function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item)}`,
  );
  return `{${items.join(', ')}}`;
}

function mcp(tool: Tool, baseUrl: string): Call {
  return {
    language: 'MCP',
    code: mcpConfiguration(`${baseUrl}/api/mcp/${tool.domain}`, `tools-${tool.domain}`),
    note: `In an agent’s configuration: the tools of the domain ${tool.domain}, ${tool.name} among them. All tools are at ${baseUrl}/api/mcp.`,
  };
}

/** The configuration that most MCP clients read. */
export const mcpConfiguration = (url: string, name: string): string =>
  JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } }, null, 2);
