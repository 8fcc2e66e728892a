/** run_chain: several tools in one call, of which the model reads only the last result. */
import { ToolError } from '../../core/errors.ts';
import { type ChainRun, runChain, type StepResult } from '../../execute/chain.ts';
import { type ChainStep, judgeLinks, readSteps } from '../../execute/chain-steps.ts';
import { asCalled, requireModel } from '../../execute/execute.ts';
import { LinkedFiles } from '../../execute/linked-files.ts';
import type { CallCircumstances, CheckedCall, Progress } from '../checked-call.ts';
import { type ToolResult, text } from '../present-result.ts';
import { agentLinks } from './agent-links.ts';
import { presentValue } from './agent-result.ts';

export function checkChain(
  parameters: Record<string, unknown>,
  circumstances: CallCircumstances,
): CheckedCall {
  const { admission, services } = circumstances;
  const steps = readSteps(parameters.toolChain);
  judgeLinks(steps, agentLinks(services));
  for (const { tool } of steps) requireModel(tool, admission.caller, services.ports);
  return {
    tools: steps.map(({ tool, parameters: given }) => asCalled(tool, given)),
    surfaces: ['chain'],
    cost: steps.length,
    run: async (progress) => {
      const run = await runSteps(steps, circumstances, progress);
      if (run.thrown !== undefined) return failedResult(run);
      const name = 'run_chain';
      const untrusted = steps.some(({ tool }) => tool.untrusted);
      const { output, results } = run.result;
      const value = parameters.steps === true ? { output, results } : { output };
      const shown = parameters.steps === true ? value : (output ?? value);
      const result = await presentValue({ name, untrusted }, shown, circumstances);
      if (run.warnings.length > 0) result.content.push(text(`Note: ${run.warnings.join('\n')}`));
      return result;
    },
  };
}

async function runSteps(
  steps: readonly ChainStep[],
  { admission, services, spend, requestId, call, signal }: CallCircumstances,
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
        call,
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

/** Says which step failed and what the steps before it made. */
function failedResult({ result, thrown }: ChainRun): ToolResult {
  if (thrown instanceof ToolError && thrown.status === 500) throw thrown;
  const failed = result.results.find(({ status }) => status === 'failed')!;
  const made = result.results.filter(({ status }) => status === 'succeeded').map(describeStep);
  const before = made.length > 0 ? `\nDone before: ${made.join('; ')}` : '';
  return {
    content: [text(`Step ${failed.index} (${failed.tool}): ${failed.error?.error}${before}`)],
    isError: true,
  };
}

const describeStep = ({ index, tool, result }: StepResult): string =>
  `step ${index} (${tool})${typeof result?.url === 'string' ? ` made ${result.url}` : ''}`;
