/** Defines the error that a failed call throws. */
import type { ErrorCode } from './shared-types.gen.ts';

interface ErrorFields {
  code: ErrorCode | 'unreachable';
  /** The HTTP status, or 0 if there was no complete response. */
  status: number;
  param?: string;
  retryAfter?: number;
  requestId?: string;
  details?: unknown;
  cause?: unknown;
}

/** A failed call. If the service returned an error response, `code` and `status` come from it. */
export class ToolsError extends Error {
  /** The service's error code, or `unreachable` if no complete response of the service arrived. */
  readonly code: ErrorCode | 'unreachable';
  /** The HTTP status, or 0 if there was no complete response. */
  readonly status: number;
  /** The name of the invalid parameter. */
  readonly param: string | undefined;
  /** The number of seconds to wait before a retry. */
  readonly retryAfter: number | undefined;
  /** Identifies the request in the service's logs. Quote it to the operator. */
  readonly requestId: string | undefined;
  readonly details: unknown;

  constructor(message: string, { cause, ...fields }: ErrorFields) {
    super(message, { cause });
    this.name = 'ToolsError';
    this.code = fields.code;
    this.status = fields.status;
    this.param = fields.param;
    this.retryAfter = fields.retryAfter;
    this.requestId = fields.requestId;
    this.details = fields.details;
  }
}

/** Reads the error from a response. The response may come from a proxy and lack the service's JSON body. */
export async function responseError(response: Response): Promise<ToolsError> {
  const { status, headers } = response;
  const read: Promise<unknown> = response.json();
  const body = (await read.catch(() => ({}))) as Partial<ErrorFields> & { error?: string };
  return new ToolsError(body.error ?? `The service returned status ${status}.`, {
    code: body.code ?? 'internal',
    status,
    param: body.param,
    retryAfter: secondsIn(headers.get('Retry-After')) ?? body.retryAfter,
    requestId: body.requestId ?? headers.get('X-Request-Id') ?? undefined,
    details: body.details,
  });
}

/** A proxy may send a date instead of seconds (RFC 9110, section 10.2.3). */
function secondsIn(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  const left = Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 : seconds;
  return Number.isNaN(left) ? undefined : Math.max(0, left);
}
