/** Loads the tool of this page into a web worker, which returns the responses that the service would send. */

export interface WorkerCall {
  /** The path of the tool's script. */
  script: string;
  parameters: Record<string, unknown>;
  /** Undefined if they are the files of the previous call, so that a tool can recognize a file. */
  files?: readonly File[] | undefined;
}

export interface WorkerResponse {
  status: number;
  /** The page fragment that shows the result, or the error. */
  body: string | { error: string; param: string | undefined };
  warnings: string[];
}

export type RunTool = (
  parameters: Record<string, unknown>,
  files: readonly File[],
) => Promise<Response>;

/** The status of the response if the tool's script could not be loaded. */
export const NOT_LOADED = 503;

/**
 * The pauses between attempts to load a script, in milliseconds. A single attempt may fail if the service is busy or
 * the connection is bad.
 */
const PAUSES_MS = [1000, 3000, 9000];

/**
 * Loads the tool by running `example`. The run also loads the modules that the tool imports on demand, such as lists of
 * names, so that the page works offline. Scripts that fail to load are retried.
 */
export async function loadTool(...tool: Parameters<typeof loadOnce>): Promise<RunTool> {
  for (const pause of PAUSES_MS) {
    try {
      return await loadOnce(...tool);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return loadOnce(...tool);
}

async function loadOnce(
  worker: string,
  script: string,
  example: Record<string, unknown>,
): Promise<RunTool> {
  const notLoaded = new Error('The tool could not be loaded. Reload the page.');
  const thread = new Worker(worker, { type: 'module' });
  const failed = new Promise<never>((_, reject) => {
    thread.onerror = () => reject(notLoaded);
  });
  let last: readonly File[] = [];
  const call = (parameters: Record<string, unknown>, chosen: readonly File[]) => {
    const isSame = chosen.length === last.length && chosen.every((file, at) => file === last[at]);
    last = [...chosen];
    const files = isSame ? undefined : last;
    const { port1, port2 } = new MessageChannel();
    const response = new Promise<WorkerResponse>((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<WorkerResponse>) => resolve(data);
    });
    thread.postMessage({ script, parameters, files } satisfies WorkerCall, [port2]);
    return Promise.race([response, failed]);
  };
  const { status } = await call(example, []);
  if (status === NOT_LOADED) {
    thread.terminate();
    throw notLoaded;
  }
  return async (parameters, files) => responseOf(await call(parameters, files));
}

function responseOf({ status, body, warnings }: WorkerResponse): Response {
  const headers = new Headers();
  if (warnings.length > 0) headers.set('X-Tool-Warnings', encodeURIComponent(warnings.join(' | ')));
  if (typeof body !== 'string') return Response.json(body, { status, headers });
  headers.set('Content-Type', 'text/html');
  return new Response(body, { status, headers });
}
