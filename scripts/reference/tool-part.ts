/** Builds the tool-specific section of a reference page: the calls, responses and example error. */

import { ownLimitsText } from '../../src/access/own-limits.ts';
import type { ContentDocument } from '../../src/core/content.ts';
import { partName, type Tool } from '../../src/core/define-tool.ts';
import { ToolError } from '../../src/core/errors.ts';
import type { CodeSample, ReferenceRequest, SentRequest } from '../../src/core/reference.ts';
import { checkCount } from '../../src/execute/input-files.ts';
import { parseParameters } from '../../src/execute/parse-parameters.ts';
import { ANY_FILE, requestCode } from '../../src/site/docs/request-code.ts';
import type { Call } from '../../src/site/tool/call-code.ts';
import { mayBeJson, PRINTS_NAME } from '../../src/site/tool/calls.ts';
import { jsonOf, resultOf, sampleOf } from './code-samples.ts';
import { BASE_URL } from './operations.ts';
import { exampleOf } from './tool-example.ts';
import { defaultFilename, exampleResponse, type ToolResponse } from './tool-responses.ts';

export function toolPart(
  tool: Tool,
  { markdown, description: purpose }: ContentDocument,
  controls: Pick<ReferenceRequest, 'parameters' | 'fields'>,
) {
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
    text: [description, ownLimitsText(tool), ...responseTextOf(tool)].filter(Boolean),
    isTool: true,
    calls: callOfTool(tool, markdown).map(sampleOf),
    results: shownResponses(responseOfTool(tool, markdown)),
    ...(error && { error: errorSample(error) }),
    request: {
      method: 'POST',
      path,
      ...controls,
      body: parameters,
      ...(part && { part }),
      example: requestOfTool(tool, markdown, tool.access === 'account'),
      ...(tool.produces && { file: fileOf(tool, tool.produces, markdown) }),
    },
  };
}

/** Describes the response of a tool that returns files. Returns an empty list for other tools. */
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

export const responseOfTool = (tool: Tool, markdown: string): ToolResponse =>
  exampleResponse(tool, exampleOf(tool, markdown).result);

/** Returns the curl command on a tool's page. */
export const curlOfTool = (tool: Tool, markdown: string): string =>
  callOfTool(tool, markdown)[0]!.code;

/** Returns a tool's example call in each language. `hasKey` is true if the call sends a key. */
export const callOfTool = (
  tool: Tool,
  markdown: string,
  hasKey = tool.access === 'account',
): Call[] => requestCode(requestOfTool(tool, markdown, hasKey));

/** Returns a tool's example request, which is sent to the tool's own endpoint. */
function requestOfTool(tool: Tool, markdown: string, hasKey: boolean): SentRequest {
  const { parameters, files } = exampleOf(tool, markdown);
  const response = responseOfTool(tool, markdown);
  return {
    method: 'POST',
    url: `${BASE_URL}/api/v1/tools/${tool.name}`,
    headers: hasKey ? { Authorization: 'Bearer YOUR_KEY' } : {},
    reads: filenameIn(response.headers) ?? 'json',
    mayBeJson: mayBeJson(tool),
    ...(tool.files && files.length > 0
      ? { form: { fields: parameters, part: partName(tool.files), files } }
      : { body: parameters }),
  };
}

/** Returns the name of the tool's file, and the parameter values for which the tool returns a file instead of JSON. */
function fileOf(
  tool: Tool,
  produces: readonly string[],
  markdown: string,
): NonNullable<ReferenceRequest['file']> {
  const shown = filenameIn(responseOfTool(tool, markdown).headers);
  const name = shown ?? defaultFilename(produces);
  return { name: produces.length > 1 ? ANY_FILE : name, with: tool.fileWith ?? {} };
}

export function shownResponses({ headers, json }: ToolResponse): CodeSample[] {
  if (!headers) return [resultOf('Example response', 'json', jsonOf(json))];
  const lines = Object.entries(headers).map((line) => line.join(': '));
  return [
    resultOf('Example response', 'http', ['HTTP/1.1 200 OK', ...lines].join('\n')),
    resultOf('Example response with Accept: application/json', 'json', jsonOf(linkIn(headers))),
  ];
}

/**
 * Returns the JSON response to a call that accepts only JSON. `headers` are those of the file response that it
 * replaces.
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

/** Returns the error for a call without parameters or files, or undefined if the tool accepts that call. */
export function errorOf(tool: Tool): ToolError | undefined {
  try {
    parseParameters(tool, {}, false);
    checkCount(tool, 0);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

export const errorBodyOf = ({ message, code, param, details }: ToolError) => ({
  error: message,
  code,
  requestId: '…',
  param,
  details,
});

const errorSample = (error: ToolError): CodeSample =>
  resultOf(`Error ${error.status}`, 'json', jsonOf(errorBodyOf(error)));

const filenameIn = (headers: Record<string, string> = {}): string | undefined =>
  /filename="([^"]+)"/.exec(headers['Content-Disposition'] ?? '')?.[1];
