/** What can go wrong, said once: a closed set of codes, the status of each, and the one error class. */

/** Status by code (decisions.md, Errors). A status without a code of its own borrows one. */
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
  /** HTTP status, where it is not the code's own. */
  status?: number;
  /** The parameter at fault. */
  param?: string;
  /** Seconds after which another try makes sense. */
  retryAfter?: number;
  /** Every single finding, where there are several. */
  details?: unknown;
  /** Further fields of the error body (parse_document's `metadata`). */
  extra?: Record<string, unknown>;
  /** Further headers of the answer (`Allow`). */
  headers?: Record<string, string>;
  /** What really happened: for the log, never for the caller. */
  cause?: unknown;
}

/**
 * An error that is meant for the caller: it says what was wrong, what would be right and what to do next.
 * Anything else that is thrown becomes `internal` and hides its message.
 */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | undefined;
  readonly retryAfter: number | undefined;
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
    this.details = details.details;
    this.extra = details.extra;
    this.headers = details.headers;
  }

  /** The same error, naming the parameter at fault. */
  naming(param: string): ToolError {
    return new ToolError(this.code, this.message, { ...this, cause: this.cause, param });
  }
}

/** 400: the request is at fault; `param` names the parameter. */
export const badRequest = (message: string, param?: string, details?: unknown) =>
  new ToolError('bad_request', message, { param, details });

/** 413: something is larger than its bound. */
export const tooLarge = (message: string, param?: string) =>
  new ToolError('bad_request', message, { status: 413, param });

/** 415: a media type that this endpoint does not read. */
export const unsupportedMediaType = (message: string) =>
  new ToolError('bad_request', message, { status: 415 });

/** 405, with the `Allow` header that RFC 9110 §15.5.6 asks for. */
export const methodNotAllowed = (method: string, allow: string) =>
  new ToolError('bad_request', `${method} is not allowed here. Allowed: ${allow}.`, {
    status: 405,
    headers: { Allow: allow },
  });

/** 400: no tool has this name. */
export const unknownTool = (message: string) =>
  new ToolError('tool_unknown', message, { param: 'tool' });

/** 501: the tool has no server-side implementation. */
export const unsupported = (message: string) => new ToolError('tool_unsupported', message);

/** 422: the tool ran and reports a failure. */
export const failed = (message: string, extra?: Record<string, unknown>) =>
  new ToolError('tool_failed', message, { extra });

/** 502: an upstream (a model provider, a page, a named file) failed. */
export const upstreamFailed = (message: string, cause?: unknown) =>
  new ToolError('tool_failed', message, { status: 502, cause });

/** 504: an upstream did not answer in time. */
export const upstreamTimedOut = (message: string, cause?: unknown) =>
  new ToolError('tool_failed', message, { status: 504, cause });

/** 409: what is asked for is taken. */
export const conflict = (message: string, param?: string) =>
  new ToolError('bad_request', message, { status: 409, param });

export const notFound = (message: string, param?: string) =>
  new ToolError('not_found', message, { param });

/** 410: it was there once. */
export const gone = (message: string) => new ToolError('not_found', message, { status: 410 });

/** 503: we are saturated, or a part of us is down; always with `Retry-After`. */
export const unavailable = (message: string, retryAfter: number, cause?: unknown) =>
  new ToolError('internal', message, { status: 503, retryAfter, cause });

/** 403: switched off by the operator. */
export const switchedOff = (message: string) =>
  new ToolError('tool_unsupported', message, { status: 403 });

/** Any thrown value as an error for the caller; what was not meant for them is hidden. */
export function toToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return new ToolError(
    'internal',
    'Something went wrong on our side. Try again; if it stays, report the requestId.',
    { cause: thrown },
  );
}
