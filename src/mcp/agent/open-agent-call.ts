/** Opens a tool call, which may contain every kind of link that agents can use. */
import { linkNameOf, type Tool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { type OpenedCall, openCall, prepare, requireModel } from '../../execute/execute.ts';
import type { McpContext } from '../checked-call.ts';
import { agentLinks } from './agent-links.ts';

export async function openAgentCall(
  tool: Tool,
  given: Record<string, unknown>,
  { admission, services }: McpContext,
): Promise<OpenedCall> {
  const prepared = prepare(tool, { parameters: given, files: [], surface: 'mcp' });
  requireModel(tool, admission.caller, services.ports);
  const link = linkNameOf(tool);
  if (link && (given[link] ?? null) === null) {
    throw badRequest(`The parameter "${link}" is missing. ${HOW_TO_GIVE_A_FILE}`, link);
  }
  if (link && [given[link]].flat().some(isPath)) {
    throw badRequest(`"${link}" takes URLs, not paths. ${HOW_TO_GIVE_A_FILE}`, link);
  }
  if (link) await admission.refuseIfToolExhausted(tool);
  return openCall(prepared, services.ports, agentLinks(services));
}

/**
 * Whether a link is neither an HTTP URL nor a `data:` URL. Agents with a shell often send a local path, as if the
 * service shared their file system.
 */
const isPath = (link: unknown): boolean =>
  typeof link === 'string' && !/^(https?|data):/i.test(link);

const HOW_TO_GIVE_A_FILE =
  'Use a URL that a tool returned, a public https URL, or the uploadUrl of create_upload after its file was sent.';
