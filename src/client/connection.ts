/** Sends requests to the service. Retries them after 429, 503 and lost connections. */
import { responseError, ToolsError } from './tools-error.ts';

export interface ConnectOptions {
  /** The URL of the service, such as `http://localhost:8787`. */
  baseUrl: string | URL;
  /** An API key. Lower limits apply without a key. */
  key?: string;
  /** The number of retries after 429, 503 and lost connections. Default: 3. */
  retries?: number;
  /**
   * The longest `Retry-After` to wait for, in seconds. If a response asks for more, its error is thrown. Default: 60.
   */
  maxWaitSeconds?: number;
  /** Receives warnings from the service, for example about an ignored parameter. */
  onWarning?: (message: string) => void;
  /** The function to use instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface OutgoingRequest {
  method: string;
  headers?: Record<string, string>;
  body?: NonNullable<RequestInit['body']>;
  /** Whether the body is a stream, which can be sent only once. */
  isStream?: boolean;
  signal?: AbortSignal | undefined;
}

/** `fetch` refuses other characters in a header, with an error that looks like a lost connection. */
const VISIBLE_ASCII = /^[!-~]+$/;

export class Connection {
  readonly retries: number;
  readonly #base: string;
  readonly #options: ConnectOptions;

  constructor(options: ConnectOptions) {
    this.retries = options.retries ?? 3;
    this.#base = String(options.baseUrl).replace(/\/$/, '');
    this.#options = options;
  }

  /**
   * Returns the result of `read` for a successful response. Throws ToolsError, or the signal's reason.
   * @param target a path of the service, or the URL of a stored file
   */
  async send<T>(
    target: string,
    request: OutgoingRequest,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#sendOnce(target, request, read);
      } catch (thrown) {
        const seconds = this.#pauseAfter(thrown, attempt, request);
        if (seconds === null) throw thrown;
        await pause(seconds, request.signal);
      }
    }
  }

  async #sendOnce<T>(
    target: string,
    { isStream, ...request }: OutgoingRequest,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const { key, fetch: send = fetch, onWarning } = this.#options;
    const url = target.startsWith('/') ? this.#base + target : target;
    if (key && !VISIBLE_ASCII.test(key)) {
      const message = 'The API key is incomplete or mistyped. Copy the whole key, without "…".';
      throw new ToolsError(message, { code: 'invalid_key', status: 401 });
    }
    const headers = { ...request.headers };
    // Stored files may be on another host, which must not receive the key.
    if (key && url.startsWith(`${this.#base}/`)) headers.Authorization = `Bearer ${key}`;
    const init = { ...request, headers, ...(isStream && { duplex: 'half' }) };
    let response: Response | undefined;
    let result: T;
    try {
      response = await send(url, init as RequestInit);
      if (!response.ok) throw await responseError(response);
      result = await read(response);
    } catch (cause) {
      request.signal?.throwIfAborted();
      if (cause instanceof ToolsError) throw cause;
      throw response ? cutOffError(cause) : this.#unreachable(cause);
    }
    // An error in the caller's function is not a lost connection, so the function is called outside the `try`.
    const warnings = response.headers.get('X-Tool-Warnings');
    if (warnings) onWarning?.(warnings);
    return result;
  }

  #unreachable(cause: unknown): ToolsError {
    const message = `The service at ${this.#base} did not respond. Check the URL and whether the service is running.`;
    return new ToolsError(message, { code: 'unreachable', status: 0, cause });
  }

  /** Returns the seconds until the next attempt, or null if the request is not retried. */
  #pauseAfter(thrown: unknown, attempt: number, { isStream }: OutgoingRequest): number | null {
    if (!(thrown instanceof ToolsError) || isStream || attempt >= this.retries) return null;
    const { status, param, retryAfter = 2 ** attempt / 2 } = thrown;
    // After a lost connection, the first request may still be running with the same key. The retry then gets 409, so a
    // 409 is retried.
    const isRunning = status === 409 && param === 'Idempotency-Key' && attempt > 0;
    if (![0, 429, 503].includes(status) && !isRunning) return null;
    return retryAfter <= (this.#options.maxWaitSeconds ?? 60) ? retryAfter : null;
  }
}

/** Returns the error for a response that was cut off. */
export function cutOffError(cause: unknown): ToolsError {
  const message = 'The response was cut off. Try again.';
  return new ToolsError(message, { code: 'unreachable', status: 0, cause });
}

export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
