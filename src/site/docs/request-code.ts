/**
 * Formats a request to any endpoint or tool as curl, TypeScript and Python code. The build formats the example of each
 * page, and client/parts/shown-request.ts formats the request that a visitor enters.
 */
import type { SentRequest } from '../../core/reference.ts';
import {
  type Call,
  curlFile,
  pythonEither,
  pythonLiteral,
  quoted,
  SAVE_EITHER,
  singleQuoted,
  tooLong,
  typescriptEither,
} from '../tool/call-code.ts';

export const requestCode = (request: SentRequest): Call[] =>
  tooLong(JSON.stringify(request)) ?? [
    { language: 'curl', code: curl(request) },
    { language: 'TypeScript', code: typescript(request) },
    { language: 'Python', code: python(request) },
  ];

/** The maximum length of JSON on a single line, in characters. Longer JSON is split into indented lines. */
const LINE = 48;

/** Matches the name of a field at the start of a line of JSON. */
const QUOTED_NAME = /^( *)"(\w+)":/gm;

/** The name of a file whose type depends on the request. */
export const ANY_FILE = 'result.*';

const isSaved = (reads: string | undefined): reads is string => reads?.includes('.') ?? false;

function curl({ method, url, headers, body, form, reads, mayBeJson }: SentRequest): string {
  const isImplied = method === 'GET' || body !== undefined || form !== undefined;
  const json = JSON.stringify(body) ?? '';
  const isLong = json.length > LINE;
  const content = isLong ? JSON.stringify(body, null, 2).replaceAll('\n', '\n  ') : json;
  return [
    `curl ${isImplied ? '' : `-X ${method} `}${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(content)}`]),
    ...formParts(form?.fields).map(
      ([name, value]) =>
        `${PLAIN.test(value) ? '-F' : '--form-string'} ${shellWord(`${name}=${value}`)}`,
    ),
    ...(form?.files.map((name) => curlFile(form.part, name)) ?? []),
    // Without --fail-with-body, a script would mistake a saved error message for the result.
    ...(isSaved(reads)
      ? mayBeJson
        ? ['--fail-with-body', SAVE_EITHER]
        : [`--fail-with-body ${reads === ANY_FILE ? '-OJ' : `-o ${reads}`}`]
      : []),
  ].join(' \\\n  ');
}

/** Matches a value that curl sends unchanged with -F. In other values, curl would interpret some characters. */
const PLAIN = /^[^\s"@<(]([^;"]*[^\s;"])?$/;

/** Returns the fields as form parts. A list becomes one part per item. */
export const formParts = (fields: Record<string, unknown> = {}): [name: string, value: string][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    (isList(value) ? value : [value]).map((item): [string, string] => [name, partText(item)]),
  );

/** An empty list is sent as JSON, because it has no items to send as parts. */
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

const partText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const shellWord = (text: string) => (/^[\w=.:+/{}-]+$/.test(text) ? text : quoted(text));

function typescript(request: SentRequest): string {
  const { method, url, headers, body, form, reads, mayBeJson } = request;
  const name =
    reads === ANY_FILE
      ? "'result.' + response.headers.get('Content-Type').split('/')[1]"
      : `'${reads}'`;
  const write = `await writeFile(${name}, Buffer.from(await response.arrayBuffer()));`;
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
    `const response = await fetch(${singleQuoted(url)}${given});`,
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
  ...formParts(form.fields).map(
    ([name, value]) => `form.append(${singleQuoted(name)}, ${singleQuoted(value)});`,
  ),
  ...form.files
    .map(singleQuoted)
    .map((name) => `form.append('${form.part}', await openAsBlob(${name}), ${name});`),
];

function python({ method, url, headers, body, form, reads, mayBeJson }: SentRequest): string {
  const name =
    reads === ANY_FILE
      ? '"result." + response.headers["Content-Type"].split("/")[1]'
      : `"${reads}"`;
  const write = `open(${name}, "wb").write(response.content)`;
  const fields = form && Object.keys(form.fields).length > 0;
  const json = indented(body);
  const files =
    form?.files.map((file) => `("${form.part}", open(${JSON.stringify(file)}, "rb"))`) ?? [];
  const list =
    files.join(', ').length > LINE
      ? `[\n${files.map((file) => `        ${file},\n`).join('')}    ]`
      : `[${files.join(', ')}]`;
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...(Object.keys(headers).length > 0 ? [`    headers=${pythonLiteral(headers)},`] : []),
    ...(body === undefined ? [] : [`    json=${json},`]),
    ...(fields ? [`    data=${pythonLiteral(pythonFields(form.fields))},`] : []),
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

/**
 * In a form, Python would send `True` instead of `true`, and only the keys of a dictionary, so these values are sent as
 * JSON.
 */
const pythonFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const items = isList(value) ? value : [value];
      const sent = items.map((item) => (typeof item === 'number' ? item : partText(item)));
      return [name, isList(value) ? sent : sent[0]];
    }),
  );

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
    .map(([name, value]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${singleQuoted(value)}`)
    .join(', ')} }`;
