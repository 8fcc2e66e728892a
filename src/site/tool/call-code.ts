/** Formats a tool call as curl, TypeScript and Python code for the tool's page. docs/request-code.ts uses a part. */

/** The parts of a call that do not depend on its input. */
export interface CallShape {
  url: string;
  tool: string;
  /** The name of the form part for a file. */
  part: string;
  needsKey: boolean;
  /** The extension of the resulting file. It is `null` for JSON and `'any'` if it depends on the call. */
  ending: string | null;
  /** The parameters that make the tool return a file. */
  fileWith: Readonly<Record<string, string>>;
  /** Whether the tool returns a file for some inputs and JSON with its link for others. */
  mayBeJson: boolean;
}

export interface Call {
  language: string;
  code: string;
  /** A note about using the code, if needed. */
  note?: string;
}

/** Quotes a string for a shell, in single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a string for TypeScript, in single quotes. */
export const singleQuoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Returns the curl option that sends a file as the form part `part`. */
export const curlFile = (part: string, name: string): string =>
  /^[\w.+-]+$/.test(name)
    ? `-F ${part}=@${name}`
    : `-F ${quoted(`${part}=@"${name.replace(/[\\"]/g, '\\$&')}"`)}`;

/** The maximum length of the JSON in a code sample, in characters. */
const MAX_JSON_LENGTH = 100_000;

/** Returns notes that replace the code samples of a call with this JSON, if it is too long for a command. */
export function tooLong(json: string): Call[] | undefined {
  if (json.length <= MAX_JSON_LENGTH) return;
  const note = 'The input has more than 100,000 characters. Read it from a file.';
  const comments = { curl: '#', TypeScript: '//', Python: '#' };
  return Object.entries(comments).map(([language, start]) => ({
    language,
    code: `${start} ${note}`,
  }));
}

/** Formats a JSON value as a Python literal. */
export function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map((item) => pythonLiteral(item)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item)}`,
  );
  return `{${items.join(', ')}}`;
}

/**
 * The curl options that save a file under its name, or JSON under the last segment of the URL. curl then prints the
 * media type and the name of the saved file.
 */
export const SAVE_EITHER = String.raw`-OJ -w '%{content_type}: %{filename_effective}\n'`;

/** Returns TypeScript that prints a JSON response and runs `write` for any other response. */
export const typescriptEither = (write: string): string =>
  `if (response.headers.get('Content-Type') === 'application/json') console.log(await response.json());
else ${write}`;

/** Returns Python that prints a JSON response and runs `write` for any other response. */
export const pythonEither = (write: string): string =>
  `if response.headers["Content-Type"] == "application/json":
    print(response.json())
else:
    ${write}`;

/** A call with its input. */
interface Sample extends Omit<CallShape, 'fileWith'> {
  parameters: Record<string, unknown>;
  /** The parameters as JSON. */
  json: string;
  hasParameters: boolean;
  /** The names of the files. A call with files is sent as a form, any other call as JSON. */
  files: readonly string[];
}

/** Returns the call in each language. `files` are the names of the files. */
export function callCode(
  { fileWith, ...shape }: CallShape,
  parameters: Record<string, unknown>,
  files: readonly string[],
): Call[] {
  const json = JSON.stringify(parameters);
  const notes = tooLong(json);
  if (notes) return notes;
  const isFile = Object.entries(fileWith).every(([name, value]) => parameters[name] === value);
  const ending = isFile ? shape.ending : null;
  const sample = { ...shape, ending, parameters, json, hasParameters: json !== '{}', files };
  return [
    { language: 'curl', code: curlCode(sample) },
    { language: 'TypeScript', code: typescriptCode(sample) },
    { language: 'Python', code: pythonCode(sample) },
  ];
}

function curlCode(sample: Sample): string {
  const { url, tool, part, needsKey, ending, mayBeJson } = sample;
  const { parameters, json, hasParameters, files } = sample;
  const key = needsKey ? ["-H 'Authorization: Bearer YOUR_KEY'"] : [];
  // If the extension is not known, the file is saved under the name in the response.
  const save = ending === 'any' ? '-OJ' : `-o result.${ending}`;
  // Without --fail-with-body, a script would mistake a saved error message for the result.
  const saved = mayBeJson ? ['--fail-with-body', SAVE_EITHER] : [`--fail-with-body ${save}`];
  const out = ending ? saved : [];
  // With -F, curl would end the value at a semicolon.
  const literal = json.includes(';') ? '--form-string' : '-F';
  const content =
    files.length > 0
      ? [
          `-F tool=${tool}`,
          ...(hasParameters ? [`${literal} parameters=${quoted(json)}`] : []),
          ...files.map((name) => curlFile(part, name)),
        ]
      : [
          "-H 'Content-Type: application/json'",
          `-d ${quoted(JSON.stringify({ tool, parameters }))}`,
        ];
  return [`curl -sS ${url}`, ...key, ...content, ...out].join(' \\\n  ');
}

function typescriptCode(sample: Sample): string {
  const { ending, mayBeJson, files } = sample;
  const name =
    ending === 'any'
      ? "'result.' + response.headers.get('Content-Type').split('/')[1]"
      : `'result.${ending}'`;
  const write = `await writeFile(${name}, new Uint8Array(await response.arrayBuffer()));`;
  const save = mayBeJson ? typescriptEither(write) : write;
  const read = ending ? save : 'const result = await response.json();';
  const imports = [
    ...(files.length > 0 ? ["import { openAsBlob } from 'node:fs';"] : []),
    ...(ending ? ["import { writeFile } from 'node:fs/promises';"] : []),
  ];
  const head = imports.length > 0 ? `${imports.join('\n')}\n\n` : '';
  return `${head}${typescriptRequest(sample)}
if (!response.ok) throw new Error((await response.json()).error);
${read}`;
}

function typescriptRequest(sample: Sample): string {
  const { url, tool, part, needsKey, parameters, json, hasParameters, files } = sample;
  const key = needsKey ? "Authorization: 'Bearer YOUR_KEY'" : '';
  if (files.length === 0) {
    const body = JSON.stringify({ tool, parameters }, null, 2).replaceAll('\n', '\n  ');
    return `const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json'${key && `, ${key}`} },
  body: JSON.stringify(${body}),
});`;
  }
  const set = hasParameters ? `\nform.set('parameters', JSON.stringify(${json}));` : '';
  const attach = files
    .map(
      (name) =>
        `form.append('${part}', await openAsBlob(${singleQuoted(name)}), ${singleQuoted(name)});`,
    )
    .join('\n');
  return `const form = new FormData();
form.set('tool', '${tool}');${set}
${attach}
const response = await fetch('${url}', { method: 'POST',${key && ` headers: { ${key} },`} body: form });`;
}

function pythonCode(sample: Sample): string {
  const { url, tool, part, needsKey, ending, mayBeJson } = sample;
  const { parameters, hasParameters, files } = sample;
  const isForm = files.length > 0;
  const key = needsKey ? '\n    headers={"Authorization": "Bearer YOUR_KEY"},' : '';
  const name =
    ending === 'any'
      ? '"result." + response.headers["Content-Type"].split("/")[1]'
      : `"result.${ending}"`;
  const write = `open(${name}, "wb").write(response.content)`;
  const save = mayBeJson ? pythonEither(write) : write;
  const read = ending ? save : 'result = response.json()';
  const given = pythonLiteral(parameters);
  const sent = (name: string) => `("${part}", open(${JSON.stringify(name)}, "rb"))`;
  const body = isForm
    ? `\n    data={"tool": "${tool}"${hasParameters ? `, "parameters": json.dumps(${given})` : ''}},
    files=[${files.map(sent).join(', ')}],`
    : `\n    json={"tool": "${tool}", "parameters": ${given}},`;
  return `${isForm && hasParameters ? 'import json\n' : ''}import requests

response = requests.post(
    "${url}",${key}${body}
)
response.raise_for_status()
${read}`;
}
