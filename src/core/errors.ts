/** Defines the error codes, their statuses and the only error class. */

/**
 * The HTTP status of each code (decisions.md, Errors). A status without a code uses the code with the closest meaning.
 */
export const STATUS_OF_CODE = {
  invalid_key: 401,
  key_revoked: 401,
  key_expired: 401,
  rate_limited: 429,
  quota_exceeded: 429,
  bad_request: 400,
  tool_unknown: 400,
  tool_unsupported: 501,
  tool_failed: 422,
  not_found: 404,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof STATUS_OF_CODE;

export const ERROR_CODES = Object.keys(STATUS_OF_CODE) as ErrorCode[];

export interface ErrorDetails {
  /** The HTTP status, if it differs from the code's own. */
  status?: number;
  /** The name of the invalid parameter. */
  param?: string;
  /** The number of seconds to wait before a retry. */
  retryAfter?: number;
  /** Whether the service was too busy to start the call. A job then waits, and the attempt does not count. */
  isBusy?: boolean;
  /** All findings, if there are several. */
  details?: unknown;
  /** Additional fields of the error body, such as `metadata` in parse_document. */
  extra?: Record<string, unknown>;
  /** Additional response headers, such as `Allow`. */
  headers?: Record<string, string>;
  /** The underlying error. It is logged but never sent to the caller. */
  cause?: unknown;
}

/**
 * An error for the caller. Its message says what is wrong and what to do. Any other thrown value becomes `internal`,
 * and its message is not sent.
 */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | undefined;
  readonly retryAfter: number | undefined;
  readonly isBusy: boolean;
  readonly details: unknown;
  readonly extra: Record<string, unknown> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'ToolError';
    this.code = code;
    this.status = details.status ?? STATUS_OF_CODE[code];
    this.param = details.param;
    this.retryAfter = details.retryAfter;
    this.isBusy = details.isBusy ?? false;
    this.details = details.details;
    this.extra = details.extra;
    this.headers = details.headers;
  }

  /** Returns the same error with the name of the invalid parameter. */
  naming(param: string): ToolError {
    return new ToolError(this.code, this.message, { ...this, cause: this.cause, param });
  }
}

/** 400: the request is invalid. `param` names the parameter. */
export const badRequest = (message: string, param?: string, details?: unknown) =>
  new ToolError('bad_request', message, { param, details });

/** 413: the input exceeds a size limit. */
export const tooLarge = (message: string, param?: string) =>
  new ToolError('bad_request', message, { status: 413, param });

/** 415: the endpoint does not accept this media type. */
export const unsupportedMediaType = (message: string) =>
  new ToolError('bad_request', message, { status: 415 });

/** 405: the endpoint does not allow the method. Sets the `Allow` header (RFC 9110, section 15.5.6). */
export const methodNotAllowed = (method: string, allow: string) =>
  new ToolError('bad_request', `${method} is not allowed here. Allowed: ${allow}.`, {
    status: 405,
    headers: { Allow: allow },
  });

/** 400: no tool has this name. */
export const unknownTool = (message: string) =>
  new ToolError('tool_unknown', message, { param: 'tool' });

/** 501: the tool runs only in the browser, or needs a model that is not configured. */
export const unsupported = (message: string) => new ToolError('tool_unsupported', message);

/** 422: the tool ran but failed. */
export const failed = (message: string, extra?: Record<string, unknown>) =>
  new ToolError('tool_failed', message, { extra });

/** 502: an upstream failed, such as a model provider, a page or a linked file. */
export const upstreamFailed = (message: string, cause?: unknown) =>
  new ToolError('tool_failed', message, { status: 502, cause });

/** 504: an upstream did not respond in time. */
export const upstreamTimedOut = (message: string, cause?: unknown) =>
  new ToolError('tool_failed', message, { status: 504, cause });

/** 409: the requested name is taken, or the state does not allow the change. */
export const conflict = (message: string, param?: string) =>
  new ToolError('bad_request', message, { status: 409, param });

export const notFound = (message: string, param?: string) =>
  new ToolError('not_found', message, { param });

/** 410: the resource existed but was removed. */
export const gone = (message: string) => new ToolError('not_found', message, { status: 410 });

/** 503: the service or a part of it is saturated or down. The response always has `Retry-After`. */
export const unavailable = (message: string, retryAfter: number, cause?: unknown) =>
  new ToolError('internal', message, { status: 503, retryAfter, cause });

/** 403: the operator disabled the feature. */
export const switchedOff = (message: string) =>
  new ToolError('tool_unsupported', message, { status: 403 });

/** Converts any thrown value to an error for the caller, and hides messages that are not meant for the caller. */
export function toToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return new ToolError(
    'internal',
    'Something went wrong on our side. Try again; if the error persists, quote the requestId to the operator.',
    { cause: thrown },
  );
}
