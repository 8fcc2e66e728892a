/** POST /api/v1/tools/chain: runs up to twelve tools in one call. The result of each tool is passed to the next one. */
import type { Admission } from '../access/admission.ts';
import { badRequest } from '../core/errors.ts';
import type { Webhook } from '../core/jobs.ts';
import { runChain } from '../execute/chain.ts';
import { type ChainStep, checkFileLinks, readSteps } from '../execute/chain-steps.ts';
import { asCalled, requireModel } from '../execute/execute.ts';
import { LinkedFiles } from '../execute/linked-files.ts';
import { planChain, readMessage } from '../execute/plan-chain.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { readJson } from '../lib/body.ts';
import { sha256 } from '../lib/sha256.ts';
import { answerOnce } from './answer-once.ts';
import { startJob } from './jobs.ts';
import { presentOutput } from './present.ts';
import { readWebhook } from './webhook.ts';

export function chainRoute(app: App): void {
  endpoint(
    app,
    '/api/v1/tools/chain',
    { POST: (c) => c.env.answer('chain', (admission) => readAndAnswer(c, admission)) },
    'chain',
  );
}

interface RequestedChain {
  steps: ChainStep[];
  /** The plan, if the chain was planned from a message. */
  plan?: unknown[];
  warnings: string[];
  webhook: Webhook | undefined;
}

async function readAndAnswer(c: AppContext, admission: Admission): Promise<Response> {
  await admission.beforeBody(c.req.raw);
  const body = await readJson(c.req.raw, 'the chain as application/json', () =>
    c.env.large(admission.caller),
  );
  return answerOnce(
    c,
    admission,
    () => sha256(JSON.stringify(body)),
    () => runRequested(c, admission, body),
  );
}

async function runRequested(
  c: AppContext,
  admission: Admission,
  body: Record<string, unknown>,
): Promise<Response> {
  await c.env.heldLarge?.begin();
  const { steps, plan, warnings, webhook } = await readChain(c, admission, body);
  for (const { tool } of steps) requireModel(tool, admission.caller, c.env.services.ports);
  await admission.admit(steps.map(({ tool, parameters }) => asCalled(tool, parameters)));
  if (c.env.prefersAsync) {
    const toolChain = steps.map((step) => ({ ...step, tool: step.tool.name }));
    const call = { kind: 'chain' as const, toolChain, ...(plan && { plan }) };
    return startJob(c, admission, call, warnings, webhook);
  }
  const { services } = c.env;
  const linked = new LinkedFiles(
    services.storage.spoolsOf(admission.caller),
    services.ports.egress,
  );
  const run = await runChain(
    steps,
    {
      ...c.env.runOptions(admission, c.executionCtx),
      requireTokens: (tool) => admission.requireTokens(tool),
      linked,
    },
    services.ports,
  ).finally(() => {
    if (linked.isUsed) c.executionCtx.waitUntil(linked.release());
  });
  // The caller disconnected, which cancelled the chain. An Idempotency-Key must not store this outcome.
  if (run.thrown !== undefined && c.env.callerSignal().aborted) throw run.thrown;
  const value = { ...run.result, ...(plan && { plan }) };
  return presentOutput(
    { kind: 'json', value, headers: undefined },
    [...warnings, ...run.warnings],
    c.env,
  );
}

async function readChain(
  c: AppContext,
  admission: Admission,
  body: Record<string, unknown>,
): Promise<RequestedChain> {
  const { toolChain, message, webhook: address, ...others } = body;
  const webhook = await readWebhook(address, c.env);
  const { storage, ports } = c.env.services;
  if ((toolChain === undefined) === (message === undefined)) {
    throw badRequest(
      'Send exactly one of "toolChain" (an array of steps) or "message" (the task in words).',
      toolChain === undefined ? 'toolChain' : 'message',
    );
  }
  const ignored = Object.keys(others).slice(0, 5).join('", "').slice(0, 200);
  const warnings = ignored ? [`Ignored unknown fields: "${ignored}".`] : [];
  const checked = (given: unknown) => {
    const steps = readSteps(given);
    checkFileLinks(steps, storage);
    return steps;
  };
  if (toolChain !== undefined) return { steps: checked(toolChain), warnings, webhook };
  const text = readMessage(message);
  // Planning calls a model, so the first step is charged before planning begins. Only callers who may run a tool can
  // therefore plan a chain.
  await admission.chargeGeneral(1, true);
  c.env.large(admission.caller).pause();
  const { steps, toolChain: plan } = await planChain(
    text,
    ports.models,
    {
      signal: c.env.callerSignal(),
      spend: (tokens) => c.executionCtx.waitUntil(admission.spend(tokens)),
    },
    checked,
  );
  return { steps, plan, warnings, webhook };
}
