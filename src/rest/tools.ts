/**
 * Handles GET /api/v1/tools, POST /api/v1/tools/execute and POST /api/v1/tools/{tool}. The two POST endpoints run the
 * same calls. The second one has a path for each tool.
 */

import type { Admission } from '../access/admission.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import type { Caller } from '../core/caller.ts';
import type { Tool } from '../core/define-tool.ts';
import { badRequest } from '../core/errors.ts';
import type { LargeCall } from '../core/large-call.ts';
import { MAX_BODY_BYTES } from '../core/limits.ts';
import type { SpoolPort, StoragePort } from '../core/ports.ts';
import { type FileOutput, type JsonOutput, json } from '../core/tool-output.ts';
import { execute, openCall, prepare, requireModel } from '../execute/execute.ts';
import { LinkedFiles } from '../execute/linked-files.ts';
import { storeOutput } from '../execute/store-output.ts';
import { type App, type AppContext, endpoint, limitedGet } from '../http.ts';
import {
  bodyType,
  checkEncoding,
  checkFieldCount,
  checkLength,
  JSON_WITH_CURL,
  readJson,
} from '../lib/body.ts';
import { noToolNamed, toolNamed } from '../tools/find-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { acceptsOnlyJson } from './accept.ts';
import { answerOnce, callFingerprint } from './answer-once.ts';
import { answerToEnd } from './answer-to-end.ts';
import { startJob, storeInputs } from './jobs.ts';
import { MULTIPART, readMultipart } from './multipart.ts';
import { presentOutput } from './present.ts';
import type { RestCall } from './rest-call.ts';
import { readWebhook } from './webhook.ts';

export function toolRoutes(app: App): void {
  limitedGet(app, '/api/v1/tools', 'catalogue', () => Response.json(catalogue()));
  endpoint(app, '/api/v1/tools/execute', { POST: (c) => handleCall(c) }, 'execution');
  // Each tool has a separate path, because the router does not accept a pattern next to `execute` and `chain`.
  for (const tool of TOOLS) {
    endpoint(app, `/api/v1/tools/${tool.name}`, { POST: (c) => handleCall(c, tool) }, 'execution');
  }
}

/** Calls to unknown tools get the same response as from `execute`. */
export function strayToolRoute(app: App): void {
  app.post('/api/v1/tools/:tool', (c) =>
    c.env.answer('execution', async () => {
      throw noToolNamed(c.req.param('tool'));
    }),
  );
}

/** @param tool the tool, if the path names it */
function handleCall(c: AppContext, tool?: Tool): Promise<Response> {
  const type = bodyType(c.req.raw);
  const work = (admission: Admission) => readAndAnswer(c, admission, type, tool);
  return type === MULTIPART ? answerToEnd(c, 'execution', work) : c.env.answer('execution', work);
}

async function readAndAnswer(
  c: AppContext,
  admission: Admission,
  type: string,
  tool: Tool | undefined,
): Promise<Response> {
  // Files are accepted only from callers who may make a call.
  await (type === MULTIPART ? admission.chargeGeneral() : admission.beforeBody(c.req.raw));
  const call = await readCall(
    c.req.raw,
    type,
    tool,
    () => c.env.services.storage.spoolsOf(admission.caller),
    () => c.env.large(admission.caller),
  );
  c.env.record.tool = call.tool.name;
  admission.recordAs(call.tool);
  try {
    const work = () => runCall(c, admission, call);
    if (c.req.header('Idempotency-Key') === undefined) return await work();
    return await answerOnce(c, admission, () => callFingerprint(call), work);
  } finally {
    if (call.release) c.executionCtx.waitUntil(call.release());
  }
}

/**
 * Checks the length of the body and reads it. If the path names the tool, the fields of the body are the tool's
 * parameters, except for `webhook`, files, and a form's part `parameters`.
 */
async function readCall(
  request: Request,
  type: string,
  tool: Tool | undefined,
  spooling: () => SpoolPort,
  large: () => LargeCall,
): Promise<RestCall> {
  if (type === MULTIPART) {
    checkEncoding(request);
    checkLength(request, MAX_BODY_BYTES);
    return readMultipart(request, spooling(), large(), tool);
  }
  const sent = tool ? 'the parameters' : 'the call';
  const what = `${sent} as application/json, or as multipart/form-data if files are attached`;
  const curl = `-F file=@NAME for a file, or ${JSON_WITH_CURL}`;
  const body = await readJson(request, what, large, curl);
  if (!tool) return toCall(body);
  const { webhook, ...parameters } = body;
  return { webhook, tool, parameters, files: [], warnings: [] };
}

function toCall({ tool, parameters, webhook, ...others }: Record<string, unknown>): RestCall {
  const misplaced = Object.keys(others).slice(0, 5).join('", "').slice(0, 200);
  return {
    tool: toolNamed(tool),
    parameters: asParameters(parameters),
    webhook,
    files: [],
    warnings: misplaced
      ? [`Ignored unknown fields: "${misplaced}". Put parameters in "parameters".`]
      : [],
  };
}

/** Returns the `parameters` of a call, which must be an object or omitted. */
function asParameters(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest('"parameters" must be an object with the tool\'s parameters.', 'parameters');
  }
  checkFieldCount(value, '"parameters"', 'parameters');
  return value as Record<string, unknown>;
}

async function runCall(c: AppContext, admission: Admission, call: RestCall): Promise<Response> {
  const { storage, ports } = c.env.services;
  const webhook = call.webhook === undefined ? undefined : await readWebhook(call.webhook, c.env);
  const prepared = prepare(call.tool, { ...call, surface: 'rest' });
  requireModel(call.tool, admission.caller, ports);
  if (prepared.links.length > 0) await admission.refuseIfToolExhausted(prepared.tool);
  const opened = await openCall(prepared, ports);
  await admission.admit([prepared.tool]);
  if (c.env.prefersAsync) {
    const files = await storeInputs(c, call.files, admission.caller);
    const { parameters, tool, warnings } = call;
    return startJob(
      c,
      admission,
      { kind: 'execute', tool: tool.name, parameters, files },
      warnings,
      webhook,
    );
  }
  const linked =
    prepared.links.length > 0
      ? new LinkedFiles(storage.spoolsOf(admission.caller), ports.egress)
      : undefined;
  try {
    const { output, warnings } = await execute(
      opened,
      { ...c.env.runOptions(admission, c.executionCtx), ...(linked && { linked }) },
      ports,
    );
    const isLink =
      output.kind === 'file' && acceptsOnlyJson(c.req.header('Accept'), output.contentType);
    const answer = isLink ? await asLink(output, storage, admission.caller) : output;
    return await presentOutput(answer, [...call.warnings, ...warnings], c.env);
  } finally {
    if (linked?.isUsed) c.executionCtx.waitUntil(linked.release());
  }
}

/** Stores a file for 24 hours. Returns a link to the file as JSON, as chains and jobs do. */
async function asLink(
  output: FileOutput,
  storage: StoragePort,
  caller: Caller,
): Promise<JsonOutput> {
  const { id, ...link } = await storeOutput(output, storage, caller);
  return json({ ...link }, { headers: output.headers, stored: id });
}
