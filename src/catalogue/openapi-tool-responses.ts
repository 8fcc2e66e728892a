/** Describes the responses to a tool call, for the API description (OpenAPI). */
import type { ZodOpenApiContentObject, ZodOpenApiHeadersObject } from 'zod-openapi';
import { bytesOf } from './openapi-results.ts';
import { BAD_KEY, error, OTHER_BODY, replayedHeader, STILL_RUNNING } from './openapi-shared.ts';

export const FILES_AS_LINKS =
  'A tool that creates a file returns its bytes, or a link to it if `Accept` lists `application/json` and neither `*/*` ' +
  'nor the type of the file.';

const text = { type: 'string' } as const;

export const resultHeaders: ZodOpenApiHeadersObject = {
  'X-Request-Id': { schema: text },
  ...replayedHeader,
  'X-Provider': {
    description: 'The provider that answered, for model-backed tools',
    schema: { ...text, enum: ['workers-ai', 'openai', 'local'] },
  },
  'X-Finish-Reason': {
    description: 'length: the model’s text was cut off at its limit',
    schema: { ...text, enum: ['stop', 'length'] },
  },
  'X-File-Facts': {
    description: 'Metadata of a file as JSON: pages, width, height, durationMs, inputBytes',
    schema: text,
  },
  'X-Tool-Warnings': {
    description: 'Parameters that were ignored, clamped or replaced by a default',
    schema: text,
  },
};

/** Returns the content of a response that is a file of one of these types. */
export const filesOf = (types: readonly string[]): ZodOpenApiContentObject =>
  Object.fromEntries(types.map((type) => [type, { schema: bytesOf(type) }]));

const TOOL_ERRORS: [status: number, id: string, description: string][] = [
  [400, 'InvalidRequest', 'The request is invalid'],
  [401, 'Unauthorized', `The tool needs an account, or ${BAD_KEY}`],
  [
    403,
    'Forbidden',
    'Screenshots are switched off, the request is from a page of another origin, or the caller is blocked',
  ],
  [409, 'Conflict', `The requested name is taken, or ${STILL_RUNNING}`],
  [413, 'TooLarge', 'A part of the request is too large'],
  [415, 'UnsupportedMediaType', 'The body is neither JSON nor multipart/form-data'],
  [422, 'Failed', `The tool ran and failed, or ${OTHER_BODY}`],
  [429, 'RateLimited', 'Rate limited; see Retry-After'],
  [500, 'InternalError', 'The service failed'],
  [
    501,
    'Unsupported',
    'The tool runs in the browser only, or needs a model that is not configured',
  ],
  [502, 'UpstreamFailed', 'An upstream, such as a model provider, failed'],
  [503, 'Unavailable', 'A part of the service is overloaded or down; see Retry-After'],
  [504, 'UpstreamTimeout', 'An upstream did not respond in time'],
];

export const toolErrors = Object.fromEntries(
  TOOL_ERRORS.map(([status, , description]) => [status, error(description)]),
);

/** The error responses as components, to which the operations of all tools refer. */
export const sharedToolErrors = Object.fromEntries(
  TOOL_ERRORS.map(([status, id, description]) => [status, { id, ...error(description) }]),
);
