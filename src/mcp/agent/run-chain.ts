/** Implements run_chain, which runs several tools in one call and by default returns only the last result. */
import { AGENT_TOOLS } from '../../catalogue/agent-tools.ts';
import { makesZip } from '../../catalogue/mcp-tools.ts';
import type { Tool } from '../../core/define-tool.ts';
import { badRequest, ToolError } from '../../core/errors.ts';
import { type ChainResult, type ChainRun, runChain, type StepResult } from '../../execute/chain.ts';
import { type ChainStep, checkFileLinks, readSteps } from '../../execute/chain-steps.ts';
import { asCalled, requireModel } from '../../execute/execute.ts';
import { LinkedFiles } from '../../execute/linked-files.ts';
import { isLinks } from '../../execute/zip-entries.ts';
import { toolNamed } from '../../tools/find-tool.ts';
import { readDocument } from '../../tools/parse_document/read-document.ts';
import type { CheckedCall, McpContext, Progress } from '../checked-call.ts';
import { isObject } from '../json-rpc.ts';
import { type ToolResult, text } from '../present-result.ts';
import { agentLinks } from './agent-links.ts';
import { presentEntries, presentValue } from './agent-result.ts';

export function checkChain(parameters: Record<string, unknown>, context: McpContext): CheckedCall {
  const { admission, services } = context;
  const { steps, asLinks } = withoutAs(readSteps(parameters.toolChain, stepTool));
  checkFileLinks(steps, agentLinks(services));
  for (const { tool } of steps) requireModel(tool, admission.caller, services.ports);
  return {
    tools: steps.map(({ tool, parameters: given }) => asCalled(tool, given)),
    limits: ['chain'],
    cost: steps.length,
    run: async (progress) => {
      const run = await runSteps(steps, context, progress);
      if (run.thrown !== undefined) return failedResult(run);
      const name = 'run_chain';
      const untrusted = steps.some(({ tool }) => tool.untrusted);
      const { results } = run.result;
      const output = withWholeNext(run.result, steps.at(-1)!);
      const shown = parameters.steps === true ? { output, results } : (output ?? { output });
      const entries = asLinks && (await presentEntries(name, output ?? {}, run.entries, context));
      const result = entries || (await presentValue({ name, untrusted }, shown, context));
      if (run.warnings.length > 0) result.content.push(text(`Note: ${run.warnings.join('\n')}`));
      return result;
    },
  };
}

/** Returns the tool of a step. It may be read_document or any tool that a chain accepts over REST. */
function stepTool(name: unknown): Tool {
  if (name === readDocument.name) return readDocument;
  if (AGENT_TOOLS.some((tool) => tool.name === name)) {
    throw badRequest(`${name} cannot be a step of a chain. Call it separately.`, 'tool');
  }
  return toolNamed(name);
}

/**
 * Removes `as` from the last step if its tool creates a ZIP. `asLinks` is true if the value was `links`. Other steps
 * pass their ZIP to the next step.
 */
function withoutAs(steps: ChainStep[]): { steps: ChainStep[]; asLinks: boolean } {
  const last = steps.at(-1)!;
  const { as, ...parameters } = last.parameters;
  if (as === undefined || !makesZip(last.tool)) return { steps, asLinks: false };
  return { steps: steps.with(-1, { ...last, parameters }), asLinks: isLinks(as) };
}

/** If the last step read a document, adds the link to this document to the fields of `next`. */
function withWholeNext({ output, results }: ChainResult, { tool, parameters }: ChainStep) {
  if (tool.name !== readDocument.name || !isObject(output?.next)) return output;
  const own = parameters.fileUrl ?? '{{prev.url}}';
  const fileUrl = String(own).includes('{{') ? results.at(-2)?.result?.url : own;
  return { ...output, next: { fileUrl, ...output.next } };
}

async function runSteps(
  steps: readonly ChainStep[],
  { admission, services, spend, requestId, record, signal }: McpContext,
  progress: Progress | undefined,
): Promise<ChainRun> {
  const { storage, ports, largeCalls } = services;
  const linked = new LinkedFiles(storage.spoolsOf(admission.caller), ports.egress);
  const large = largeCalls.of(admission.caller, signal);
  const links = agentLinks(services);
  try {
    return await runChain(
      steps,
      {
        caller: admission.caller,
        requestId,
        record,
        signal,
        spend,
        requireTokens: (tool) => admission.requireTokens(tool),
        large: () => large,
        linked,
        ...(progress && { progress }),
      },
      ports,
      links,
    );
  } finally {
    large.end();
    if (linked.isUsed) await linked.release();
  }
}

/** Describes the step that failed and the results of the steps before it. */
function failedResult({ result, thrown }: ChainRun): ToolResult {
  if (thrown instanceof ToolError && thrown.status === 500) throw thrown;
  const failed = result.results.find(({ status }) => status === 'failed')!;
  const made = result.results.filter(({ status }) => status === 'succeeded').map(describeStep);
  const before = made.length > 0 ? `\nCompleted steps: ${made.join('; ')}` : '';
  return {
    content: [text(`Step ${failed.index} (${failed.tool}): ${failed.error?.error}${before}`)],
    isError: true,
  };
}

const describeStep = ({ index, tool, result }: StepResult): string =>
  `step ${index} (${tool})${typeof result?.url === 'string' ? ` created ${result.url}` : ''}`;
