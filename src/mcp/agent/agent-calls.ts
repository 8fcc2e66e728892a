/** Handles `tools/call` at the endpoint for agents, which accepts more kinds of links and has additional tools. */
import { makesZip } from '../../catalogue/mcp-tools.ts';
import type { Tool } from '../../core/define-tool.ts';
import type { Executed } from '../../execute/execute.ts';
import { LinkedFiles } from '../../execute/linked-files.ts';
import { parseParameters } from '../../execute/parse-parameters.ts';
import { isLinks } from '../../execute/zip-entries.ts';
import { type CheckedCall, type McpContext, runTool } from '../checked-call.ts';
import { storedLinkOf } from './agent-links.ts';
import { agentResult } from './agent-result.ts';
import { checkCreateUpload } from './create-upload.ts';
import { checkGetJob, checkTranscode } from './jobs.ts';
import { openAgentCall } from './open-agent-call.ts';
import { checkChain } from './run-chain.ts';
import { checkSearch } from './search-docs.ts';
import { checkTask } from './tasks.ts';

type Check = (
  parameters: Record<string, unknown>,
  context: McpContext,
) => CheckedCall | Promise<CheckedCall>;

/**
 * The tools that need parts of the service that a tool's `run` does not receive. Each of these tools has its own check.
 */
const OWN = new Map<string, Check>([
  ['create_upload', checkCreateUpload],
  ['search_docs', checkSearch],
  ['run_chain', checkChain],
  ['get_job', checkGetJob],
]);

/** Checks a call without running it. Throws ToolError. */
export async function checkAgentCall(
  tool: Tool,
  given: Record<string, unknown>,
  context: McpContext,
): Promise<CheckedCall> {
  const own = OWN.get(tool.name);
  if (own) return own(parseParameters(tool, given, true).parameters, context);
  if (tool.isLong && context.tasks) return checkTask(tool, given, context);
  if (tool.name === 'transcode_video') return checkTranscode(tool, given, context);
  return checkToolCall(tool, given, context);
}

async function checkToolCall(
  tool: Tool,
  given: Record<string, unknown>,
  context: McpContext,
): Promise<CheckedCall> {
  const { admission, services } = context;
  const { as, ...others } = given;
  const asLinks = makesZip(tool) && as !== undefined && isLinks(as);
  const parameters = makesZip(tool) ? others : { ...given };
  // An upload URL accepts only PUT requests, so the short link redirects to the uploaded file instead.
  if (tool.name === 'shorten_url' && /^https?:/i.test(String(given.url))) {
    parameters.url = await storedLinkOf(String(given.url), context);
  }
  const call = await openAgentCall(tool, parameters, context);
  return {
    tools: [call.tool],
    cost: 1,
    run: async (progress) => {
      const linked = new LinkedFiles(
        services.storage.spoolsOf(admission.caller),
        services.ports.egress,
      );
      const present = async (executed: Executed) =>
        agentResult(tool, withWholeNext(executed, given), context, { asLinks });
      try {
        return await runTool(call, context, progress, present, linked);
      } finally {
        if (linked.isUsed) await linked.release();
      }
    },
  };
}

/**
 * Adds the caller's link to the fields of `next`. A call with the values in `next` continues reading the same document.
 */
function withWholeNext(executed: Executed, { fileUrl }: Record<string, unknown>): Executed {
  const { output } = executed;
  if (output.kind !== 'json' || typeof output.value.next !== 'object') return executed;
  const value = { ...output.value, next: { fileUrl, ...output.value.next } };
  return { ...executed, output: { ...output, value } };
}
