/** Writes the pages of the API reference to the folder of static assets, which is deployed with the Worker. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import type { JsonSchema } from '../../src/catalogue/json-schema.ts';
import { toolsByKind } from '../../src/catalogue/kinds.ts';
import { openApi } from '../../src/catalogue/openapi.ts';
import type { ContentDocument } from '../../src/core/content.ts';
import type {
  FirstCall,
  ReferenceField,
  ReferenceIndex,
  ReferencePage,
  SentRequest,
} from '../../src/core/reference.ts';
import { requestCode } from '../../src/site/docs/request-code.ts';
import type { Call } from '../../src/site/tool/call-code.ts';
import { findTool } from '../../src/tools/find-tool.ts';
import { replaceFile } from '../replace-file.ts';
import { jsonOf, resultOf, sampleOf } from './code-samples.ts';
import { ENDPOINT_EXAMPLES } from './endpoint-examples.ts';
import { groupsOf } from './field-groups.ts';
import { FieldReader } from './fields.ts';
import { BASE_URL, DEPLOYMENT, operationsOf } from './operations.ts';
import { fieldsOfBody, fieldsOfParameters } from './request-fields.ts';
import { toolPart } from './tool-part.ts';

/** Returns the curl command on an endpoint's page. */
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
    .map((one) => ({ ...pageOf(one), ...endpointPart(one, reader) }));
  const tools = toolsByKind().flatMap(([group, listed]) =>
    listed.filter(isExecutable).map((tool) => {
      const one = operations.find(({ path }) => path === `/api/v1/tools/${tool.name}`)!;
      const document = documents.find(({ path }) => path === `/docs/tools/${tool.name}`)!;
      const controls = {
        parameters: [],
        fields: fieldsOfBody(one.operation, reader, tool),
      };
      return { ...pageOf(one), ...toolPart(tool, document, controls), group };
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
  const { path: shown = path } = exampleOfEndpoint(id);
  return requestCode(requestOfEndpoint(id, shown, method));
}

function requestOfEndpoint(id: string, path: string, method: string): SentRequest {
  const { headers = {}, body, form, result } = exampleOfEndpoint(id);
  const reads = result === undefined ? {} : { reads: typeof result === 'string' ? 'text' : 'json' };
  const sent = form ? { form } : { body };
  return { method, url: BASE_URL + path, headers, ...sent, ...reads };
}

function endpointPart(
  { operation, path, method }: ReturnType<typeof operationsOf>[number],
  reader: FieldReader,
) {
  const { operationId: id, summary, description, requestBody } = operation;
  const { path: shown, headers, body, form, result } = exampleOfEndpoint(id);
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
              ? resultOf('Example output', 'text', result)
              : resultOf('Example response', 'json', jsonOf(result)),
          ],
    request: {
      method,
      path,
      parameters: fieldsOfParameters(operation, reader, path, shown, headers),
      fields: fieldsOfBody(operation, reader),
      example: requestOfEndpoint(id, path, method),
      ...(requestBody?.content['application/json'] && { body: body ?? {} }),
      ...(requestBody?.content['multipart/form-data'] && { part: form?.part ?? 'files' }),
    },
  };
}

function indexOf(pages: readonly ReferencePage[]): ReferenceIndex {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const namesOf = (fields: readonly ReferenceField[]): string[] =>
    fields.flatMap(({ name, fields: inner }) => [name, ...namesOf(inner)]);
  return groups.map((group) => ({
    group,
    entries: pages
      .filter((page) => page.group === group)
      .map(({ id, title, purpose, method, path, groups: parts }) => ({
        id,
        title,
        purpose,
        method,
        path,
        words: [...new Set([id, ...namesOf(parts.flatMap(({ fields }) => fields))])].join(' '),
      })),
  }));
}

export function writeReference(
  pages: readonly ReferencePage[],
  first: FirstCall,
  folder: string,
): void {
  const target = join(folder, 'reference');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const page of pages) replaceFile(join(target, `${page.id}.json`), JSON.stringify(page));
  replaceFile(join(folder, 'reference.json'), JSON.stringify(indexOf(pages)));
  replaceFile(join(folder, 'first-call.json'), JSON.stringify(first));
}
