/** Formats a tool call as curl, TypeScript and Python code, and the MCP configuration for the tool. */
import { partName, type Tool } from '../../core/define-tool.ts';
import { type Call, type CallShape, callCode } from './call-code.ts';

/** The input of a call, which consists of parameters and file names. */
export interface Sent {
  parameters: Record<string, unknown>;
  files: readonly string[];
}

/** Whether the tool returns a file for some inputs and JSON with its link for others. */
export const mayBeJson = ({ output, produces, fileWith }: Tool): boolean =>
  output !== undefined && produces !== undefined && fileWith === undefined;

export function callShape(tool: Tool, baseUrl: string): CallShape {
  return {
    url: `${baseUrl}/api/v1/tools/execute`,
    tool: tool.name,
    part: tool.files ? partName(tool.files) : '',
    needsKey: tool.access === 'account',
    ending: tool.produces ? endingOf(tool.produces) : null,
    fileWith: tool.fileWith ?? {},
    mayBeJson: mayBeJson(tool),
  };
}

/** Describes the curl command for a tool that returns a file or JSON. */
export const PRINTS_NAME =
  'The curl command prints the type and the name of the file that it saves.';

/** Uses the example's file names until the visitor chooses files. */
function sentWith(tool: Tool, sent: Sent | undefined): Sent {
  const { parameters = {}, files = [] } = tool.example ?? {};
  if (!sent) return { parameters, files };
  return sent.files.length > 0 ? sent : { ...sent, files };
}

/** Returns the calls of `tool` for a service at `baseUrl`. The input is `sent`, or by default the tool's example. */
export function callsOf(tool: Tool, baseUrl: string, sent?: Sent): Call[] {
  const { parameters, files } = sentWith(tool, sent);
  const shape = callShape(tool, baseUrl);
  const [curl, ...others] = callCode(shape, parameters, files) as [Call, ...Call[]];
  // The code in the other languages handles both kinds of result itself, so it needs no note.
  const note = shape.mayBeJson && `${tool.jsonOrFile?.replaceAll('`', '')} ${PRINTS_NAME}`;
  return [
    { ...curl, ...(note && { note }) },
    ...others,
    ...(tool.domain ? [mcp(tool, baseUrl)] : []),
  ];
}

/** The extension equals the subtype of the media type, as in `application/pdf`. */
const endingOf = ([type, ...others]: readonly string[]) =>
  others.length > 0 ? 'any' : type!.split('/')[1]!;

function mcp(tool: Tool, baseUrl: string): Call {
  return {
    language: 'MCP',
    code: mcpConfiguration(`${baseUrl}/api/mcp/${tool.domain}`, `tools-${tool.domain}`),
    note: `Add this to the configuration of your agent to get the tools of the domain ${tool.domain}, including ${tool.name}. All tools are at ${baseUrl}/api/mcp.`,
  };
}

/** Returns the configuration in the format of most MCP clients. */
export const mcpConfiguration = (url: string, name: string): string =>
  JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } }, null, 2);
