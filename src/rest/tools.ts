/** GET /api/v1/tools and POST /api/v1/tools/execute. */
import { catalogue } from '../catalogue/catalogue.ts';
import { execute } from '../execute/execute.ts';
import { openLinkedFiles } from '../execute/input-files.ts';
import { LinkedFiles } from '../execute/linked-files.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { presentOutput } from './present.ts';
import { MULTIPART, mediaType, readCall } from './read-call.ts';

export function toolRoutes(app: App): void {
  endpoint(app, '/api/v1/tools', { GET: () => Response.json(catalogue()) });
  endpoint(app, '/api/v1/tools/execute', { POST: executeCall });
}

/** An upload runs to its end also when the caller goes away, so that nothing of it stays behind in storage. */
function executeCall(c: AppContext): Promise<Response> {
  const type = mediaType(c.req.raw);
  const executed = executeRequest(c, type);
  if (type === MULTIPART) c.executionCtx.waitUntil(executed.catch(() => {}));
  return executed;
}

async function executeRequest(c: AppContext, type: string): Promise<Response> {
  const { storage, ports } = c.env.services;
  const call = await readCall(c.req.raw, type, storage);
  const linked = new LinkedFiles(storage, ports.egress, () => departureOf(c.req.raw));
  try {
    const { tool, warnings } = call;
    const opened = await openLinkedFiles(tool, call.parameters, call.files, linked);
    const executed = await execute(
      tool,
      {
        ...opened,
        door: 'rest',
        caller: { address: c.req.raw.headers.get('CF-Connecting-IP') ?? '' },
        // Made when a tool asks for it: most do not.
        get signal() {
          return departureOf(c.req.raw);
        },
      },
      ports,
    );
    return presentOutput(executed.output, [...warnings, ...executed.warnings]);
  } finally {
    if (linked.isUsed) c.executionCtx.waitUntil(linked.release());
    if (call.release) c.executionCtx.waitUntil(call.release());
  }
}

/** Aborts when the caller goes away. workerd does not end a fetch by a request's own signal, but by one made of it. */
const departureOf = (request: Request): AbortSignal => AbortSignal.any([request.signal]);
