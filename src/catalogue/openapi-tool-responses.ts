/** Describes the responses to a tool call, for the API description (OpenAPI). */
import type {
  ZodOpenApiContentObject,
  ZodOpenApiHeadersObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { linkNameOf, type Tool } from '../core/define-tool.ts';
import type { PortName } from '../core/ports.ts';
import { isExecutable } from './catalogue.ts';
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

interface ErrorCause {
  status: number;
  /** The name of the component in the API description. */
  name: string;
  text: string;
  /** Whether the tool can fail for this reason. Omitted if every tool can. */
  appliesTo?: (tool: Tool) => boolean;
}

const needsAny =
  (...ports: PortName[]) =>
  ({ needs }: Tool) =>
    ports.some((port) => needs.includes(port));
const takesLinks = (tool: Tool) => linkNameOf(tool) !== null;

const ERROR_CAUSES: readonly ErrorCause[] = [
  { status: 400, name: 'InvalidRequest', text: 'the request is invalid' },
  {
    status: 401,
    name: 'AccountNeeded',
    text: 'the tool needs an account',
    appliesTo: ({ access }) => access === 'account',
  },
  { status: 401, name: 'InvalidKey', text: BAD_KEY },
  {
    status: 403,
    name: 'ScreenshotsOff',
    text: 'screenshots are switched off',
    appliesTo: needsAny('browser'),
  },
  { status: 403, name: 'CrossOrigin', text: 'the request is from a page of another origin' },
  { status: 403, name: 'Blocked', text: 'the caller is blocked' },
  {
    status: 409,
    name: 'NameTaken',
    text: 'the requested name is taken',
    appliesTo: needsAny('links'),
  },
  { status: 409, name: 'StillRunning', text: STILL_RUNNING },
  { status: 413, name: 'TooLarge', text: 'a part of the request is too large' },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    text: 'the body is neither JSON nor multipart/form-data',
  },
  { status: 422, name: 'Failed', text: 'the tool ran and failed' },
  { status: 422, name: 'OtherBody', text: OTHER_BODY },
  { status: 429, name: 'RateLimited', text: 'rate limited; see Retry-After' },
  { status: 500, name: 'InternalError', text: 'the service failed' },
  {
    status: 501,
    name: 'BrowserOnly',
    text: 'the tool runs in the browser only',
    appliesTo: (tool) => !isExecutable(tool),
  },
  {
    status: 501,
    name: 'NoModel',
    text: 'the call needs a model that is not configured',
    appliesTo: needsAny('models'),
  },
  {
    status: 502,
    name: 'ModelFailed',
    text: 'the model provider failed',
    appliesTo: needsAny('models'),
  },
  {
    status: 502,
    name: 'PageFailed',
    text: 'the page could not be fetched',
    appliesTo: needsAny('egress', 'browser'),
  },
  {
    status: 502,
    name: 'LinkFailed',
    text: 'a linked file could not be fetched',
    appliesTo: takesLinks,
  },
  {
    status: 503,
    name: 'Unavailable',
    text: 'a part of the service is overloaded or down; see Retry-After',
  },
  {
    status: 504,
    name: 'ModelTimeout',
    text: 'the model did not respond in time',
    appliesTo: needsAny('models'),
  },
  {
    status: 504,
    name: 'PageTimeout',
    text: 'the page did not respond in time',
    appliesTo: needsAny('egress'),
  },
  {
    status: 504,
    name: 'LinkTimeout',
    text: 'the server of a linked file did not respond in time',
    appliesTo: takesLinks,
  },
];

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

const errorFrom = (causes: readonly ErrorCause[]): ZodOpenApiResponseObject =>
  error(alternatives.format(causes.map(({ text: cause }) => cause)));

const byStatus = (causes: readonly ErrorCause[]) => [
  ...Map.groupBy(causes, ({ status }) => status),
];

/** The error responses of the endpoint that runs any tool, by status. */
export const toolErrors = Object.fromEntries(
  byStatus(ERROR_CAUSES).map(([status, causes]) => [status, errorFrom(causes)]),
);

const components = new Map<string, ZodOpenApiResponseObject>();

/** Returns the response for these causes. It is a shared component that the operations of several tools reference. */
function componentFor(causes: readonly ErrorCause[]): ZodOpenApiResponseObject {
  const id = causes.map(({ name }) => name).join('Or');
  const component = components.get(id) ?? { id, ...errorFrom(causes) };
  components.set(id, component);
  return component;
}

/** Returns the error responses of a tool, by status. */
export const errorsOf = (tool: Tool) =>
  Object.fromEntries(
    byStatus(ERROR_CAUSES.filter(({ appliesTo }) => appliesTo?.(tool) ?? true)).map(
      ([status, causes]) => [status, componentFor(causes)],
    ),
  );
