/** Writes a request to any endpoint or tool as curl, TypeScript and Python code. */
import {
  type Call,
  pythonEither,
  pythonLiteral,
  quoted,
  SAVE_EITHER,
  typescriptEither,
} from '../../src/site/tool/call-code.ts';

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
  /**
   * The form to send instead of JSON, with its fields and file names. `part` is the name of the form field for each
   * file.
   */
  form?: { fields: Record<string, unknown>; part: string; files: readonly string[] };
  /**
   * How the code uses the response: `json`, `text`, or the name of the file to save. Default: the code ignores the
   * response.
   */
  reads?: string;
  /** Whether the response is JSON for some inputs, although `reads` is the name of a file. */
  mayBeJson?: boolean;
}

export const requestCode = (request: SentRequest): Call[] => [
  { language: 'curl', code: curl(request) },
  { language: 'TypeScript', code: typescript(request) },
  { language: 'Python', code: python(request) },
];

/** The maximum length of JSON on a single line, in characters. Longer JSON is split into indented lines. */
const LINE = 48;

/** Matches the name of a field at the start of a line of JSON. */
const QUOTED_NAME = /^( *)"(\w+)":/gm;

const isSaved = (reads: string | undefined): reads is string => reads?.includes('.') ?? false;

function curl({ method, url, headers, body, form, reads, mayBeJson }: SentRequest): string {
  const isImplied = method === 'GET' || body !== undefined || form !== undefined;
  const json = JSON.stringify(body) ?? '';
  const isLong = json.length > LINE;
  const content = isLong ? JSON.stringify(body, null, 2).replaceAll('\n', '\n  ') : json;
  return [
    `curl ${isImplied ? '' : `-X ${method} `}${url.includes('?') ? quoted(url) : url}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(content)}`]),
    ...partsOf(form).map(([name, value]) => `-F ${shellWord(`${name}=${value}`)}`),
    ...(form?.files.map((name) => `-F ${form.part}=@${name}`) ?? []),
    // Without --fail-with-body, a script would mistake a saved error message for the result.
    ...(isSaved(reads)
      ? mayBeJson
        ? ['--fail-with-body', SAVE_EITHER]
        : [`--fail-with-body -o ${reads}`]
      : []),
  ].join(' \\\n  ');
}

/** Returns the fields as form parts. A list becomes one part for each item. */
const partsOf = (form: SentRequest['form']): [name: string, value: string][] =>
  Object.entries(form?.fields ?? {}).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, String(item)]),
  );

const shellWord = (text: string) => (/^[\w=.:+-]+$/.test(text) ? text : quoted(text));

function typescript(request: SentRequest): string {
  const { method, url, headers, body, form, reads, mayBeJson } = request;
  const write = `await writeFile('${reads}', Buffer.from(await response.arrayBuffer()));`;
  const sent = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
  const json = JSON.stringify(body, null, 2)
    ?.replace(QUOTED_NAME, '$1$2:')
    .replaceAll('\n', '\n  ');
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(Object.keys(sent).length > 0 ? [`headers: ${literal(sent)}`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${json})`]),
    ...(form ? ['body: form'] : []),
  ];
  const isShort = url.length + options.join().length < LINE && !options.join().includes('\n');
  const given =
    options.length === 0
      ? ''
      : isShort
        ? `, { ${options.join(', ')} }`
        : `, {\n  ${options.join(',\n  ')},\n}`;
  return [
    ...(form ? ["import { openAsBlob } from 'node:fs';"] : []),
    ...(isSaved(reads) ? ["import { writeFile } from 'node:fs/promises';"] : []),
    ...(form || isSaved(reads) ? [''] : []),
    ...(form ? formLines(form) : []),
    `const response = await fetch('${url}'${given});`,
    'if (!response.ok) throw new Error((await response.json()).error);',
    ...(isSaved(reads)
      ? [mayBeJson ? typescriptEither(write) : write]
      : reads
        ? [`const result = await response.${reads}();`]
        : []),
  ].join('\n');
}

const formLines = (form: NonNullable<SentRequest['form']>): string[] => [
  'const form = new FormData();',
  ...partsOf(form).map(([name, value]) => `form.append('${name}', '${value}');`),
  ...form.files.map(
    (name) => `form.append('${form.part}', await openAsBlob('${name}'), '${name}');`,
  ),
];

function python({ method, url, headers, body, form, reads, mayBeJson }: SentRequest): string {
  const write = `open("${reads}", "wb").write(response.content)`;
  const fields = form && Object.keys(form.fields).length > 0;
  const json = indented(body);
  const files = form?.files.map((name) => `("${form.part}", open("${name}", "rb"))`) ?? [];
  const list =
    files.join(', ').length > LINE
      ? `[\n${files.map((file) => `        ${file},\n`).join('')}    ]`
      : `[${files.join(', ')}]`;
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(Object.keys(headers).length > 0 ? [`    headers=${pythonLiteral(headers)},`] : []),
    ...(body === undefined ? [] : [`    json=${json},`]),
    ...(fields ? [`    data=${pythonLiteral(form.fields)},`] : []),
    ...(form ? [`    files=${list},`] : []),
    ')',
    'response.raise_for_status()',
    ...(isSaved(reads)
      ? [mayBeJson ? pythonEither(write) : write]
      : reads
        ? [`result = response.${reads === 'json' ? 'json()' : 'text'}`]
        : []),
  ].join('\n');
}

/** Formats a dictionary on a single line if it fits, otherwise with one field per line. */
function indented(body: unknown): string {
  const line = pythonLiteral(body ?? {});
  if (line.length <= LINE || typeof body !== 'object' || body === null) return line;
  const fields = Object.entries(body).map(
    ([name, value]) => `        ${JSON.stringify(name)}: ${pythonLiteral(value)},\n`,
  );
  return `{\n${fields.join('')}    }`;
}

const literal = (headers: Record<string, string>): string =>
  `{ ${Object.entries(headers)
    .map(([name, value]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: '${value}'`)
    .join(', ')} }`;
