/** GET /api/v1/tools and POST /api/v1/tools/execute. */

import type { Gate } from '../access/gate.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import { linkNameOf } from '../core/define-tool.ts';
import { execute, prepare, requireModel } from '../execute/execute.ts';
import { judgeLink, LinkedFiles } from '../execute/linked-files.ts';
import { type App, type AppContext, endpoint, limitedGet } from '../http.ts';
import { answerOnce, callFingerprint } from './answer-once.ts';
import { keepInputs, startJob } from './jobs.ts';
import { presentOutput } from './present.ts';
import { bodyType, MULTIPART, prefersAsync, readCall } from './read-call.ts';
import type { RestCall } from './rest-call.ts';

export function toolRoutes(app: App): void {
  limitedGet(app, '/api/v1/tools', 'catalogue', () => Response.json(catalogue()));
  endpoint(app, '/api/v1/tools/execute', { POST: executeCall }, 'execution');
}

/** An upload runs to its end also when the caller goes away, so that nothing of it stays behind in storage. */
function executeCall(c: AppContext): Promise<Response> {
  const type = bodyType(c.req.raw);
  const executed = c.env.answer('execution', (gate) => answerCall(c, gate, type));
  if (type === MULTIPART) c.executionCtx.waitUntil(executed.catch(() => {}));
  return executed;
}

async function answerCall(c: AppContext, gate: Gate, type: string): Promise<Response> {
  // A file comes in only for callers that may make a call.
  await (type === MULTIPART ? gate.enter() : gate.beforeBody(c.req.raw));
  const call = await readCall(c.req.raw, type, () => c.env.services.storage.spoolsOf(gate.caller));
  try {
    const work = () => executeRead(c, gate, call);
    const key = c.req.header('Idempotency-Key');
    return key === undefined
      ? await work()
      : await answerOnce(c, gate, () => callFingerprint(call), work);
  } finally {
    if (call.release) c.executionCtx.waitUntil(call.release());
  }
}

async function executeRead(c: AppContext, gate: Gate, call: RestCall): Promise<Response> {
  const { storage, ports } = c.env.services;
  const prepared = prepare(call.tool, { ...call, door: 'rest' });
  requireModel(call.tool, gate.caller, ports);
  for (const link of prepared.links) judgeLink(link, linkNameOf(call.tool)!, storage);
  await gate.admit([prepared.tool]);
  if (prefersAsync(c.req.raw)) {
    const files = await keepInputs(c, call.files, gate.caller);
    const { parameters, tool, warnings } = call;
    return startJob(c, gate, { kind: 'execute', tool: tool.name, parameters, files }, warnings);
  }
  const linked =
    prepared.links.length > 0
      ? new LinkedFiles(storage, storage.spoolsOf(gate.caller), ports.egress)
      : undefined;
  try {
    const { output, warnings } = await execute(
      prepared,
      {
        caller: gate.caller,
        requestId: c.env.requestId,
        linked,
        spend: (tokens) => c.executionCtx.waitUntil(gate.spend(tokens)),
        signal: () => c.env.callerSignal(),
      },
      ports,
    );
    return presentOutput(output, [...call.warnings, ...warnings], c.env);
  } finally {
    if (linked?.isUsed) c.executionCtx.waitUntil(linked.release());
  }
}
