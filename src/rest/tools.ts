/** GET /api/v1/tools and POST /api/v1/tools/execute. */

import type { Admission } from '../access/admission.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import { execute, openCall, prepare, requireModel } from '../execute/execute.ts';
import { LinkedFiles } from '../execute/linked-files.ts';
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

/** An upload continues if the caller disconnects, so that nothing is left in storage. */
function executeCall(c: AppContext): Promise<Response> {
  const type = bodyType(c.req.raw);
  const executed = c.env.answer('execution', (admission) => answerCall(c, admission, type));
  if (type === MULTIPART) c.executionCtx.waitUntil(executed.catch(() => {}));
  return executed;
}

async function answerCall(c: AppContext, admission: Admission, type: string): Promise<Response> {
  // Files are accepted only from callers that may make a call.
  await (type === MULTIPART ? admission.enter() : admission.beforeBody(c.req.raw));
  const call = await readCall(
    c.req.raw,
    type,
    () => c.env.services.storage.spoolsOf(admission.caller),
    () => c.env.large(admission.caller),
  );
  c.env.call.tool = call.tool.name;
  try {
    const work = () => executeRead(c, admission, call);
    const key = c.req.header('Idempotency-Key');
    return key === undefined
      ? await work()
      : await answerOnce(c, admission, () => callFingerprint(call), work);
  } finally {
    if (call.release) c.executionCtx.waitUntil(call.release());
  }
}

async function executeRead(c: AppContext, admission: Admission, call: RestCall): Promise<Response> {
  const { storage, ports } = c.env.services;
  const prepared = prepare(call.tool, { ...call, surface: 'rest' });
  requireModel(call.tool, admission.caller, ports);
  if (prepared.links.length > 0) await admission.refuseSpentTool(prepared.tool);
  const opened = await openCall(prepared, ports);
  await admission.admit([prepared.tool]);
  if (prefersAsync(c.req.raw)) {
    const files = await keepInputs(c, call.files, admission.caller);
    const { parameters, tool, warnings } = call;
    return startJob(
      c,
      admission,
      { kind: 'execute', tool: tool.name, parameters, files },
      warnings,
    );
  }
  const linked =
    prepared.links.length > 0
      ? new LinkedFiles(storage.spoolsOf(admission.caller), ports.egress)
      : undefined;
  try {
    const { output, warnings } = await execute(
      opened,
      {
        caller: admission.caller,
        requestId: c.env.requestId,
        call: c.env.call,
        large: () => c.env.large(admission.caller),
        linked,
        spend: (tokens) => c.executionCtx.waitUntil(admission.spend(tokens)),
        signal: () => c.env.callerSignal(),
      },
      ports,
    );
    return await presentOutput(output, [...call.warnings, ...warnings], c.env);
  } finally {
    if (linked?.isUsed) c.executionCtx.waitUntil(linked.release());
  }
}
