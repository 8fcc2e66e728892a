/**
 * The answer to a request for an operation. Where nothing is reported on the way it is the body itself, or an error
 * with its status. Where the caller listens to progress and some is reported, it is lines of JSON: `{"progress":
 * 0.5}` as often as there is news, then `{"error": …}`, or `{"result": {"contentType", "meta"}}` and the body's bytes.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ToolError } from '../../src/core/errors.ts';
import { PROGRESS_TYPE } from '../../src/core/progress-type.ts';
import type { OperationResult } from './operations/operation.ts';

/** Fractions of it that are news. */
const STEP = 0.01;

export class Answer {
  private readonly response: ServerResponse;
  private reported = 0;
  /** Whether the answer is lines, since something was reported. */
  private lines = false;
  /** Whether the result's bytes have begun. */
  private body = false;

  constructor(response: ServerResponse) {
    this.response = response;
  }

  /** Reports how much is done, 0 to 1; never backwards. */
  progress(fraction: number): void {
    if (!(fraction >= this.reported + STEP) || this.response.destroyed) return;
    this.reported = Math.min(1, fraction);
    if (!this.lines) {
      this.lines = true;
      this.response.writeHead(200, { 'Content-Type': PROGRESS_TYPE, 'Cache-Control': 'no-store' });
    }
    this.line({ progress: Math.round(this.reported * 1000) / 1000 });
  }

  /** The error as JSON; `status` says what the Worker is to answer. */
  error(error: ToolError): void {
    const { response } = this;
    const { message, code, status, param, retryAfter, details, extra } = error;
    const told = { error: message, code, status, param, retryAfter, details, extra };
    if (response.destroyed) return;
    // Of a body that breaks off there is nothing more to say than that.
    if (this.body) {
      response.destroy();
      return;
    }
    if (this.lines) {
      response.end(`${JSON.stringify({ error: told })}\n`);
      return;
    }
    const body = JSON.stringify(told);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...error.headers,
    });
    response.end(body);
  }

  async result(result: OperationResult, signal: AbortSignal): Promise<void> {
    const { response } = this;
    const { contentType, size } = result;
    // A proxy on the way may drop Content-Length.
    const meta = { ...result.meta, size };
    this.body = true;
    if (this.lines) this.line({ result: { contentType, meta } });
    else {
      response.writeHead(200, {
        'Content-Type': contentType,
        'Content-Length': size,
        'X-Media-Meta': Buffer.from(JSON.stringify(meta)).toString('base64url'),
      });
    }
    await pipeline(Readable.from(result.open(), { objectMode: false }), response, { signal });
  }

  private line(value: unknown): void {
    this.response.write(`${JSON.stringify(value)}\n`);
  }
}
