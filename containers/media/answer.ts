/**
 * Sends an operation's response. Without progress reports, the body is the result's bytes, or an error as JSON with its
 * status. If the caller listens for progress and the operation reports any, the body consists of JSON lines:
 * `{"progress": 0.5, "message"?}` for each report, then `{"error": …}`, or `{"result": {"contentType", "meta"}}`
 * followed by the result's bytes.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ToolError } from '../../src/core/errors.ts';
import { MEDIA_HEADERS, PROGRESS_TYPE } from '../../src/core/media-headers.ts';
import type { OperationResult } from './operations/operation.ts';
import { reportLoad } from './report-load.ts';

/** The minimum increase in progress between two reports. */
const STEP = 0.01;

export class Answer {
  private readonly response: ServerResponse;
  private reported = 0;
  /** Whether the response is sent as JSON lines, which begin with the first progress report. */
  private lines = false;
  /** Whether the result's bytes are being sent. */
  private body = false;

  constructor(response: ServerResponse) {
    this.response = response;
  }

  /** Reports the time spent in the queue, in milliseconds. Must be called before the response begins. */
  waited(milliseconds: number): void {
    this.response.setHeader('Server-Timing', `wait;dur=${milliseconds}`);
  }

  /**
   * Reports progress from 0 to 1, with a message such as `page 2 of 7`. Ignores a value that is less than STEP above
   * the last reported one.
   */
  progress(fraction: number, message?: string): void {
    if (!(fraction >= this.reported + STEP) || this.response.destroyed) return;
    this.reported = Math.min(1, fraction);
    if (!this.lines) {
      this.lines = true;
      reportLoad(this.response, 1);
      this.response.writeHead(200, { 'Content-Type': PROGRESS_TYPE, 'Cache-Control': 'no-store' });
    }
    this.line({ progress: Math.round(this.reported * 1000) / 1000, message });
  }

  /** Sends the error as JSON. Its `status` field contains the HTTP status that the Worker must return. */
  error(error: ToolError): void {
    const { response } = this;
    const { message, code, status, param, retryAfter, details, extra } = error;
    const fields = { error: message, code, status, param, retryAfter, details, extra };
    if (response.destroyed) return;
    // The status and part of the result have already been sent, so the failure can only be reported by closing the
    // connection.
    if (this.body) {
      response.destroy();
      return;
    }
    if (this.lines) {
      response.end(`${JSON.stringify({ error: fields })}\n`);
      return;
    }
    const body = JSON.stringify(fields);
    reportLoad(response);
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
    // The metadata repeats the size, because a proxy may drop Content-Length.
    const meta = { ...result.meta, size };
    this.body = true;
    if (this.lines) this.line({ result: { contentType, meta } });
    else {
      reportLoad(response, 1);
      response.writeHead(200, {
        'Content-Type': contentType,
        'Content-Length': size,
        [MEDIA_HEADERS.meta]: Buffer.from(JSON.stringify(meta)).toString('base64url'),
      });
    }
    await pipeline(Readable.from(result.open(), { objectMode: false }), response, { signal });
  }

  private line(value: unknown): void {
    this.response.write(`${JSON.stringify(value)}\n`);
  }
}
