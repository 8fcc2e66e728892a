/** Writes the pages of the API reference to the folder of static assets, which is deployed with the Worker. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import type { JsonSchema } from '../../src/catalogue/json-schema.ts';
import { toolsByKind } from '../../src/catalogue/kinds.ts';
import { openApi } from '../../src/catalogue/openapi.ts';
import type { ContentDocument } from '../../src/core/content.ts';
import { partName, type Tool } from '../../src/core/define-tool.ts';
import { ToolError } from '../../src/core/errors.ts';
import type {
  CodeSample,
  FieldGroup,
  ReferenceField,
  ReferenceIndex,
  ReferencePage,
  SentParameter,
} from '../../src/core/reference.ts';
import { checkCount } from '../../src/execute/input-files.ts';
import { parseParameters } from '../../src/execute/parse-parameters.ts';
import type { Call } from '../../src/site/tool/call-code.ts';
import { mayBeJson, PRINTS_NAME } from '../../src/site/tool/calls.ts';
import { findTool } from '../../src/tools/find-tool.ts';
import { replaceFile } from '../replace-file.ts';
import { ENDPOINT_EXAMPLES } from './endpoint-examples.ts';
import { FieldReader } from './fields.ts';
import { highlight } from './highlight.ts';
import { requestCode, type SentRequest } from './request-code.ts';
import { withValues } from './sample-values.ts';
import { exampleOf } from './tool-example.ts';
import { TOOL_RESPONSES, type ToolResponse } from './tool-responses.ts';

type Content = Record<string, { schema?: JsonSchema }>;

type Parameter = SentParameter & { required?: boolean };

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; $ref?: string; content?: Content }>;
}

/** The server replaces the placeholder when it serves a page. */
const BASE_URL = '{base_url}';
const DEPLOYMENT = { baseUrl: BASE_URL, serviceName: '', requireSignIn: false };
const BODIES = ['application/json', 'multipart/form-data'];

function operationsOf(description: JsonSchema) {
  const paths = description.paths as Record<string, Record<string, unknown>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'post', 'delete'].flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      if (!operation) return [];
      const shared = (item.parameters ?? []) as Parameter[];
      const parameters = [...shared, ...(operation.parameters ?? [])];
      return [{ path, method: method.toUpperCase(), operation: { ...operation, parameters } }];
    }),
  );
}

/** Returns the curl command on the page of an endpoint. */
export function curlOf(id: string): string {
  const operations = operationsOf(openApi(DEPLOYMENT));
  const { path, method } = operations.find(({ operation }) => operation.operationId === id)!;
  return callsOfEndpoint(id, path, method)[0]!.code;
}

export function referencePages(documents: readonly ContentDocument[]): ReferencePage[] {
  const description = openApi(DEPLOYMENT);
  const components = description.components as Record<string, Record<string, JsonSchema>>;
  const reader = new FieldReader(components.schemas!);
  const operations = operationsOf(description);
  const toolAt = (path: string) => findTool(path.split('/').at(-1)!);
  const pageOf = (one: (typeof operations)[number]) => ({
    method: one.method,
    path: one.path,
    groups: groupsOf(one.operation, reader, toolAt(one.path)),
    responses: Object.entries(one.operation.responses).map(([status, response]) => {
      const named = components.responses?.[response.$ref?.split('/').at(-1) ?? ''];
      return { status, description: String(response.description ?? named?.description) };
    }),
  });
  const endpoints = operations
    .filter(({ path }) => !toolAt(path))
    .map((one) => ({ ...pageOf(one), ...endpointPart(one.operation, one.path, one.method) }));
  const tools = toolsByKind().flatMap(([group, listed]) =>
    listed.filter(isExecutable).map((tool) => {
      const one = operations.find(({ path }) => path === `/api/v1/tools/${tool.name}`)!;
      const document = documents.find(({ path }) => path === `/docs/tools/${tool.name}`)!;
      return { ...pageOf(one), ...toolPart(tool, document), group };
    }),
  );
  return [...endpoints, ...tools];
}

/** Returns the text up to the end of its first sentence. */
const firstSentence = (text: string): string => text.split(/(?<=\.)\s/, 1)[0]!;

function exampleOfEndpoint(id: string) {
  const example = ENDPOINT_EXAMPLES[id];
  if (!example) throw new Error(`scripts/reference/endpoint-examples.ts has no example of ${id}.`);
  return example;
}

function callsOfEndpoint(id: string, path: string, method: string): Call[] {
  const { headers = {}, body, form, path: shown = path, result } = exampleOfEndpoint(id);
  const reads = result === undefined ? {} : { reads: typeof result === 'string' ? 'text' : 'json' };
  const sent = form ? { form } : { body };
  return requestCode({ method, url: BASE_URL + shown, headers, ...sent, ...reads });
}

function endpointPart(operation: Operation, path: string, method: string) {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation;
  const { body, form, result } = exampleOfEndpoint(id);
  const isText = typeof result === 'string';
  return {
    id,
    title: summary,
    purpose: description ? firstSentence(description) : summary,
    group: 'Endpoints',
    text: description ? [description] : [],
    isTool: false,
    calls: callsOfEndpoint(id, path, method).map(sampleOf),
    results:
      result === undefined
        ? []
        : [
            isText
              ? resultOf('Output', 'text', result)
              : resultOf('Response', 'json', jsonOf(result)),
          ],
    request: {
      method,
      path,
      parameters: parameters.map(({ name, in: location, description: meaning, schema }) => ({
        ...{ name, in: location, schema },
        ...(meaning && { description: meaning }),
      })),
      ...(requestBody && { body: body ?? {} }),
      ...(requestBody?.content['multipart/form-data'] && { part: form?.part ?? 'files' }),
    },
  };
}

function toolPart(tool: Tool, { markdown, description: purpose }: ContentDocument) {
  const { name, title, description } = tool;
  const path = `/api/v1/tools/${name}`;
  const part = tool.files && partName(tool.files);
  const { parameters } = exampleOf(tool, markdown);
  const error = errorOf(tool);
  return {
    id: name,
    title,
    purpose,
    ...(tool.jsonOrFile && { warning: tool.jsonOrFile }),
    text: [description, ...responseTextOf(tool)],
    isTool: true,
    calls: requestCode(requestOfTool(tool, markdown)).map(sampleOf),
    results: shownResponses(responseOfTool(tool, markdown)),
    ...(error && { error: errorSample(error) }),
    request: { method: 'POST', path, parameters: [], body: parameters, ...(part && { part }) },
  };
}

/** Describes the response of a tool that returns files. Empty for other tools. */
function responseTextOf(tool: Tool): string[] {
  const { produces, output } = tool;
  if (!produces) return [];
  const types = produces.map((type) => `\`${type}\``).join(', ');
  const kind = output ? 'JSON or a file' : 'the file itself';
  return [
    `The response is ${kind} (${types}). With \`Accept: application/json\`, a link replaces the file.`,
    ...(mayBeJson(tool) ? [PRINTS_NAME] : []),
  ];
}

/** Returns the example response of a tool. */
export const responseOfTool = (tool: Tool, markdown: string): ToolResponse =>
  TOOL_RESPONSES[tool.name] ?? { json: exampleOf(tool, markdown).result };

/** Returns the curl command on the page of a tool. */
export const curlOfTool = (tool: Tool, markdown: string): string =>
  requestCode(requestOfTool(tool, markdown))[0]!.code;

/** Returns the example request of a tool, which is sent to the tool's own endpoint. */
function requestOfTool(tool: Tool, markdown: string): SentRequest {
  const { parameters, files } = exampleOf(tool, markdown);
  const response = responseOfTool(tool, markdown);
  return {
    method: 'POST',
    url: `${BASE_URL}/api/v1/tools/${tool.name}`,
    headers: tool.access === 'account' ? { Authorization: 'Bearer YOUR_KEY' } : {},
    reads: filenameIn(response.headers) ?? 'json',
    mayBeJson: mayBeJson(tool),
    ...(tool.files && files.length > 0
      ? { form: { fields: parameters, part: partName(tool.files), files } }
      : { body: parameters }),
  };
}

function shownResponses({ headers, json }: ToolResponse): CodeSample[] {
  if (!headers) return [resultOf('Response', 'json', jsonOf(json))];
  const lines = Object.entries(headers).map((line) => line.join(': '));
  return [
    resultOf('Response', 'http', ['HTTP/1.1 200 OK', ...lines].join('\n')),
    resultOf('Response with Accept: application/json', 'json', jsonOf(linkIn(headers))),
  ];
}

/**
 * Returns the JSON response of a call that accepts only JSON. It takes the place of a file response with these headers.
 */
export function linkIn(headers: Record<string, string>): Record<string, unknown> {
  const filename = filenameIn(headers)!;
  return {
    url: `…/files/…/${filename}`,
    filename,
    contentType: headers['Content-Type'],
    size: Number(headers['X-Output-Bytes']) || '…',
    expiresAt: '…',
    deleteToken: '…',
    ...JSON.parse(headers['X-File-Facts'] ?? '{}'),
  };
}

/** Returns the error of a call without parameters and files. Undefined if the tool accepts such a call. */
export function errorOf(tool: Tool): ToolError | undefined {
  try {
    parseParameters(tool, {}, false);
    checkCount(tool, 0);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

/** Returns the body of an error response. */
export const errorBodyOf = ({ message, code, param, details }: ToolError) => ({
  ...{ error: message, code, requestId: '…', param, details },
});

const errorSample = (error: ToolError): CodeSample =>
  resultOf(`Error ${error.status}`, 'json', jsonOf(errorBodyOf(error)));

const filenameIn = (headers: Record<string, string> = {}): string | undefined =>
  /filename="([^"]+)"/.exec(headers['Content-Disposition'] ?? '')?.[1];

const jsonOf = (result: unknown) => JSON.stringify(withValues(result), null, 2);

const sampleOf = ({ language, code }: Call): CodeSample => ({
  name: language,
  html: highlight(code, language),
});

const resultOf = (name: string, language: string, text: string): CodeSample => ({
  name,
  html: highlight(text, language),
});

function groupsOf(
  { parameters = [], requestBody, responses }: Operation,
  reader: FieldReader,
  tool: Tool | undefined,
): FieldGroup[] {
  const schemaIn = (content: Content | undefined) =>
    BODIES.map((type) => content?.[type]?.schema).find((schema) => schema !== undefined);
  const placed = (location: SentParameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, description, schema, required = false }) =>
        reader.field(name, { ...schema, description }, required),
      );
  const body = schemaIn(requestBody?.content);
  const [ok] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const result = schemaIn(ok?.[1].content);
  const { value, link } = partsOf(result, tool);
  const isEither = result !== undefined && Object.keys(ok?.[1].content ?? {}).some(isFile);
  const groups: FieldGroup[] = [
    { title: 'In the path', fields: placed('path') },
    { title: 'In the query', fields: placed('query') },
    {
      title: requestBody?.content['application/json'] ? 'Body' : 'Form fields',
      fields: body ? inOrder(reader.fieldsOf(body)) : [],
    },
    { title: 'Headers', fields: [...(isEither ? [ACCEPT] : []), ...placed('header')] },
    {
      title: link ? 'Result as JSON' : 'Result',
      fields: value ? reader.fieldsOf(value) : [],
    },
    {
      title: value ? FOLDED_LINK : 'Result as a link',
      fields: link ? reader.fieldsOf(link) : [],
      ...(value && { isFolded: true }),
    },
  ];
  return groups.filter(({ fields }) => fields.length > 0);
}

const FOLDED_LINK = 'Result as a link: replaces the file if you send `Accept: application/json`';

/** OpenAPI ignores a parameter with this name, so the API description does not declare it. */
const ACCEPT: ReferenceField = {
  name: 'Accept',
  type: 'string',
  meaning:
    '`application/json`: the response is JSON with a link to the file, instead of the file itself.',
  isRequired: false,
  fields: [],
};

const isFile = (type: string) => !/^(application\/json$|text\/)/.test(type);

/** Sorts file fields first, then the links that replace files, then required fields, then all other fields. */
const inOrder = (fields: readonly ReferenceField[]): ReferenceField[] => {
  const rank = ({ name, type, isRequired }: ReferenceField) => {
    if (/\bfile$/.test(type)) return 0;
    if (/^fileUrls?$/.test(name)) return 1;
    return isRequired ? 2 : 3;
  };
  return fields.toSorted((one, other) => rank(one) - rank(other));
};

/** Separates the JSON result of a call from the link to a file that the call made. */
function partsOf(
  result: JsonSchema | undefined,
  tool: Tool | undefined,
): { value?: JsonSchema; link?: JsonSchema } {
  if (!result || isAnyResult(result)) return {};
  if (!tool?.produces) return { value: result };
  if (!tool.output) return { link: result };
  // src/catalogue/openapi-results.ts puts the link first.
  const [link, value] = result.anyOf as [JsonSchema, JsonSchema];
  return { value, link };
}

/** Whether the schema is the union of all tools' results. Such a union has too many fields to list. */
const isAnyResult = ({ anyOf }: JsonSchema) => ((anyOf as unknown[] | undefined)?.length ?? 0) > 3;

function indexOf(pages: readonly ReferencePage[]): ReferenceIndex {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const namesOf = (fields: readonly ReferenceField[]): string[] =>
    fields.flatMap(({ name, fields: inner }) => [name, ...namesOf(inner)]);
  return groups.map((group) => ({
    group,
    entries: pages
      .filter((page) => page.group === group)
      .map(({ id, title, purpose, method, path, groups: parts }) => ({
        ...{ id, title, purpose, method, path },
        words: [...new Set([id, ...namesOf(parts.flatMap(({ fields }) => fields))])].join(' '),
      })),
  }));
}

export function writeReference(pages: readonly ReferencePage[], folder: string): void {
  const target = join(folder, 'reference');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const page of pages) replaceFile(join(target, `${page.id}.json`), JSON.stringify(page));
  replaceFile(join(folder, 'reference.json'), JSON.stringify(indexOf(pages)));
}
