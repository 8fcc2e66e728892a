/** POST /api/v1/tools/chain: up to twelve tools in one call, each fed by the one before it. */
import type { Gate } from '../access/gate.ts';
import { sha256 } from '../access/sha256.ts';
import { badRequest } from '../core/errors.ts';
import { runChain } from '../execute/chain.ts';
import { type ChainStep, judgeLinks, readSteps } from '../execute/chain-steps.ts';
import { asCalled, requireModel } from '../execute/execute.ts';
import { LinkedFiles } from '../execute/linked-files.ts';
import { planChain, readMessage } from '../execute/plan-chain.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { answerOnce } from './answer-once.ts';
import { startJob } from './jobs.ts';
import { presentOutput } from './present.ts';
import { prefersAsync, readJson } from './read-call.ts';

export function chainRoute(app: App): void {
  endpoint(
    app,
    '/api/v1/tools/chain',
    { POST: (c) => c.env.answer('chain', (gate) => answerCall(c, gate)) },
    'chain',
  );
}

interface Wanted {
  steps: ChainStep[];
  /** Where it was planned from a message. */
  plan?: unknown[];
  warnings: string[];
}

async function answerCall(c: AppContext, gate: Gate): Promise<Response> {
  await gate.beforeBody(c.req.raw);
  const body = await readJson(c.req.raw, 'the chain as application/json');
  return answerOnce(
    c,
    gate,
    () => sha256(JSON.stringify(body)),
    () => runWanted(c, gate, body),
  );
}

async function runWanted(
  c: AppContext,
  gate: Gate,
  body: Record<string, unknown>,
): Promise<Response> {
  const { steps, plan, warnings } = await readWanted(c, gate, body);
  for (const { tool } of steps) requireModel(tool, gate.caller, c.env.services.ports);
  await gate.admit(steps.map(({ tool, parameters }) => asCalled(tool, parameters)));
  if (prefersAsync(c.req.raw)) {
    const toolChain = steps.map((step) => ({ ...step, tool: step.tool.name }));
    return startJob(c, gate, { kind: 'chain', toolChain, ...(plan && { plan }) }, warnings);
  }
  const { services, requestId } = c.env;
  const linked = new LinkedFiles(
    services.storage,
    services.storage.spoolsOf(gate.caller),
    services.ports.egress,
  );
  const run = await runChain(
    steps,
    {
      caller: gate.caller,
      signal: () => c.env.callerSignal(),
      spend: (tokens, tool) => c.executionCtx.waitUntil(gate.spend(tokens, tool)),
      requireTokens: (tool) => gate.requireTokens(tool),
      requestId,
      linked,
    },
    services.ports,
  ).finally(() => {
    if (linked.isUsed) c.executionCtx.waitUntil(linked.release());
  });
  const value = { ...run.result, ...(plan && { plan }) };
  return presentOutput(
    { kind: 'json', value, headers: undefined },
    [...warnings, ...run.warnings],
    c.env,
  );
}

async function readWanted(
  c: AppContext,
  gate: Gate,
  body: Record<string, unknown>,
): Promise<Wanted> {
  const { toolChain, message, ...others } = body;
  const { storage, ports } = c.env.services;
  if ((toolChain === undefined) === (message === undefined)) {
    throw badRequest(
      'Send exactly one of "toolChain", an array of steps, and "message", what should be done in words.',
      toolChain === undefined ? 'toolChain' : 'message',
    );
  }
  const ignored = Object.keys(others).slice(0, 5).join('", "').slice(0, 200);
  const warnings = ignored ? [`"${ignored}" beside the chain was ignored.`] : [];
  const judged = (given: unknown) => {
    const steps = readSteps(given);
    judgeLinks(steps, storage);
    return steps;
  };
  if (toolChain !== undefined) return { steps: judged(toolChain), warnings };
  const text = readMessage(message);
  // The model is asked for callers only who may run something: the first step's unit, taken before it is known.
  await gate.enter(1, true);
  const { steps, toolChain: plan } = await planChain(
    text,
    ports.models,
    {
      signal: c.env.callerSignal(),
      spend: (tokens) => c.executionCtx.waitUntil(gate.spend(tokens)),
    },
    judged,
  );
  return { steps, plan, warnings };
}
