/** An execute request, in JSON or multipart/form-data, as the value that the corridor takes. */
import type { Tool } from '../core/define-tool.ts';
import { badRequest, unknownTool, unsupportedMediaType } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { MAX_BODY_BYTES, MAX_JSON_BYTES } from '../core/limits.ts';
import type { SpoolPort } from '../core/ports.ts';
import { bodyText, checkLength, parseJson } from '../lib/request-body.ts';
import { findTool, TOOLS } from '../tools/registry.ts';
import { readMultipart } from './multipart.ts';

export interface RestCall {
  tool: Tool;
  parameters: Record<string, unknown>;
  files: readonly InputFile[];
  warnings: string[];
  /** Removes what the request left in storage and nobody kept; absent where it can have left nothing. */
  release?(): Promise<void>;
}

export const MULTIPART = 'multipart/form-data';

/** Reads the body, whose length is judged before its bytes. `type` is the request's media type. */
export async function readCall(
  request: Request,
  type: string,
  spooling: SpoolPort,
): Promise<RestCall> {
  const encoding = request.headers.get('Content-Encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw unsupportedMediaType(`Send the body as it is, not with Content-Encoding: ${encoding}.`);
  }
  if (type === MULTIPART) {
    checkLength(request, MAX_BODY_BYTES);
    return readMultipart(request, spooling);
  }
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw unsupportedMediaType(
      `Send the call as application/json, or as multipart/form-data where files are attached, not as ${type || 'a body without Content-Type'}. ` +
        "With curl: -H 'Content-Type: application/json'.",
    );
  }
  const { tool, parameters, ...others } = await readJsonBody(request);
  const misplaced = Object.keys(others).slice(0, 5).join('", "').slice(0, 200);
  return {
    tool: toolNamed(tool),
    parameters: asParameters(parameters),
    files: [],
    warnings: misplaced
      ? [`"${misplaced}" beside "tool" was ignored: parameters go into the object "parameters".`]
      : [],
  };
}

/** A JSON object as the request's body, at most 8 MiB. */
export async function readJsonBody(request: Request): Promise<Record<string, unknown>> {
  return parseObject(await bodyText(request, MAX_JSON_BYTES), 'The body', undefined);
}

/** The text as a JSON object; an error names `what` and `param`. */
export function parseObject(
  text: string,
  what: string,
  param: string | undefined,
): Record<string, unknown> {
  const value = parseJson(text, what, param);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`${what} must be a JSON object: {"name": value, …}.`, param);
  }
  return value as Record<string, unknown>;
}

/** The tool of this name. Throws 400 `tool_unknown` with the nearest names. */
export function toolNamed(name: unknown): Tool {
  if (name === undefined || name === null || name === '') {
    throw badRequest(
      '"tool" is missing: name the tool to run. GET /api/v1/tools lists them.',
      'tool',
    );
  }
  if (typeof name !== 'string') throw badRequest('"tool" must be a string.', 'tool');
  const tool = findTool(name);
  if (tool) return tool;
  const wanted = name.slice(0, 60).toWellFormed();
  const near = TOOLS.map((known) => known.name).filter((known) => alike(known, wanted));
  const advice =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'GET /api/v1/tools lists them.';
  throw unknownTool(`There is no tool "${wanted}". ${advice}`);
}

/** `parameters` of a call: an object, or nothing. */
export function asParameters(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest('"parameters" must be an object with the tool\'s parameters.', 'parameters');
  }
  return value as Record<string, unknown>;
}

/** The media type of a request's body, lower case, without parameters; empty where there is none. */
export function mediaType(request: Request): string {
  return (request.headers.get('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Names that share a word, or differ in case and separators only. */
function alike(known: string, wanted: string): boolean {
  const words = wanted
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
  const squeezed = words.join('');
  return (
    squeezed.length > 2 &&
    (known.replaceAll('_', '') === squeezed || words.every((word) => known.includes(word)))
  );
}
