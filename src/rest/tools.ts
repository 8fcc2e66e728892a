/** GET /api/v1/tools and POST /api/v1/tools/execute. */
import type { Gate } from '../access/gate.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import { execute, prepare } from '../execute/execute.ts';
import { LinkedFiles } from '../execute/linked-files.ts';
import { type App, type AppContext, endpoint, limited } from '../http.ts';
import { mediaType } from '../lib/request-body.ts';
import { answerOnce, callFingerprint } from './answer-once.ts';
import { departureOf } from './departure.ts';
import { keepInputs, prefersAsync, startJob } from './jobs.ts';
import { presentOutput } from './present.ts';
import { MULTIPART, type RestCall, readCall } from './read-call.ts';

export function toolRoutes(app: App): void {
  endpoint(app, '/api/v1/tools', { GET: limited('catalogue', () => Response.json(catalogue())) });
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
  const gate = await c.env.arrive('execution');
  // A file comes in only for callers that may make a call.
  if (type === MULTIPART) await gate.enter();
  let call: RestCall;
  try {
    call = await readCall(c.req.raw, type, c.env.services.storage);
  } catch (error) {
    await gate.settle(error);
    throw error;
  }
  try {
    return await answerOnce(
      c,
      gate,
      () => callFingerprint(call),
      () => executeRead(c, gate, call),
    );
  } finally {
    if (call.release) c.executionCtx.waitUntil(call.release());
  }
}

async function executeRead(c: AppContext, gate: Gate, call: RestCall): Promise<Response> {
  const { storage, ports } = c.env.services;
  let admitted: Awaited<ReturnType<Gate['admit']>>;
  let linked: LinkedFiles | undefined;
  try {
    const prepared = prepare(call.tool, { ...call, door: 'rest' });
    admitted = await gate.admit([call.tool]);
    if (prefersAsync(c.req.raw)) {
      const files = await keepInputs(c, call.files);
      const { parameters, tool, warnings } = call;
      return await startJob(
        c,
        gate,
        { kind: 'execute', tool: tool.name, parameters, files },
        warnings,
      );
    }
    if (prepared.links.length > 0) {
      linked = new LinkedFiles(storage, ports.egress);
    }
    const { output, warnings } = await execute(
      prepared,
      {
        caller: gate.caller,
        requestId: c.env.requestId,
        linked,
        spend: (tokens) => c.executionCtx.waitUntil(gate.spend(tokens)),
        // Made when a tool asks for it: most do not.
        get signal() {
          return departureOf(c.req.raw);
        },
      },
      ports,
    );
    return presentOutput(output, [...call.warnings, ...warnings], c.env);
  } catch (error) {
    await gate.settle(error, admitted);
    throw error;
  } finally {
    if (linked?.isUsed) c.executionCtx.waitUntil(linked.release());
  }
}
