/** GET /api/v1/tools and POST /api/v1/tools/execute. */
import { catalogue } from '../catalogue/catalogue.ts';
import { execute } from '../execute/execute.ts';
import { openLinkedFiles } from '../execute/input-files.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { presentOutput } from './present.ts';
import { readCall } from './read-call.ts';

export function toolRoutes(app: App): void {
  endpoint(app, '/api/v1/tools', { GET: () => Response.json(catalogue()) });
  endpoint(app, '/api/v1/tools/execute', { POST: executeCall });
}

/** Runs to its end also when the caller goes away, so that nothing of the upload stays behind in storage. */
function executeCall(c: AppContext): Promise<Response> {
  const executed = executeRequest(c);
  c.executionCtx.waitUntil(executed.catch(() => {}));
  return executed;
}

async function executeRequest(c: AppContext): Promise<Response> {
  const { storage, ports } = c.get('services');
  const call = await readCall(c.req.raw, storage);
  try {
    const { tool, warnings } = call;
    const opened = await openLinkedFiles(tool, call.parameters, call.files, storage);
    const executed = await execute(
      tool,
      {
        ...opened,
        door: 'rest',
        caller: { address: c.req.header('CF-Connecting-IP') ?? '' },
        signal: departureOf(c.req.raw),
      },
      ports,
    );
    return presentOutput(executed.output, [...warnings, ...executed.warnings]);
  } finally {
    c.executionCtx.waitUntil(call.release());
  }
}

/** Aborts when the caller goes away. workerd does not end a fetch by a request's own signal, but by one made of it. */
const departureOf = (request: Request): AbortSignal => AbortSignal.any([request.signal]);
