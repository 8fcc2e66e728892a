/** Defines the headers that the Worker and a media worker exchange, and the media type of a response with progress. */

/** The names of the headers, keyed by purpose. They are in lower case, as in Node's `request.headers`. */
export const MEDIA_HEADERS = {
  /** The secret that authenticates the Worker. */
  secret: 'x-media-secret',
  /** The length of the manifest in bytes. The manifest precedes the files. */
  manifestLength: 'x-manifest-length',
  /** The caller to whom the CPU time of the call is charged: `account` or `address`, followed by an opaque name. */
  caller: 'x-media-caller',
  /** `1` if the response reports progress. */
  progress: 'x-media-progress',
  /** Metadata of a result, as JSON in base64url. */
  meta: 'x-media-meta',
  /** The status and headers of a fetched URL, as JSON in base64url. */
  fetched: 'x-media-fetched',
  /**
   * The load of the worker, which every response reports. `3/8` means that three other calls are running or waiting,
   * and that the worker has eight cores.
   */
  load: 'x-media-load',
  /**
   * The number of calls that the sender expects to be running or waiting in the worker. If there are more and no core
   * is free, the worker refuses the call as `busier`. Omitted if the worker may have any number of calls.
   */
  expected: 'x-media-expected',
  /**
   * The reason why the worker refused a call before starting it: `busy`, `busier` (more calls than expected), `full`
   * (its disk), or `ending` (it is shutting down).
   */
  refused: 'x-media-refused',
} as const;

/** The media type of responses that report progress. */
export const PROGRESS_TYPE = 'application/vnd.tools.progress';

export const writeLoad = (calls: number, cores: number): string => `${calls}/${cores}`;

/** Parses the `load` header. Returns undefined if the header is missing or malformed. */
export function readLoad(header: string | null): { calls: number; cores: number } | undefined {
  const [, calls, cores] = /^(\d{1,6})\/(\d{1,4})$/.exec(header ?? '') ?? [];
  return calls && Number(cores) > 0 ? { calls: Number(calls), cores: Number(cores) } : undefined;
}
