/**
 * Describes tools for MCP's `tools/list`, from the definitions in the registry. The descriptions are short, because
 * models read them.
 */
import { linkNameOf, type Tool } from '../core/define-tool.ts';
import { INLINE_BYTES, MB } from '../core/limits.ts';
import { type JsonSchema, parametersSchema } from './json-schema.ts';
import { type ListedOutputs, outputSchema } from './mcp-outputs.ts';

/** The kind of endpoint that the list is for, and which output schemas the list contains. */
export interface ListedFor {
  agents: boolean;
  outputs: ListedOutputs;
}

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  outputSchema?: JsonSchema;
  annotations: Hints;
}

type Hints = Partial<
  Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>
>;

/** Returns a tool as `tools/list` shows it. Long output schemas are omitted, because they take many tokens (ADR 96). */
export function listedTool(tool: Tool, { agents, outputs }: ListedFor): ListedTool {
  const schema = outputSchema(tool, outputs);
  return {
    name: tool.name,
    title: tool.title,
    description: `${tool.description} ${agents ? resultForAgents(tool) : resultOf(tool)}`,
    inputSchema: agents ? inputForAgents(tool) : inputSchema(tool, STORED),
    ...(schema && { outputSchema: schema }),
    annotations: agents ? hintsForAgents(tool) : hintsOf(tool),
  };
}

const hintsOf = ({ annotations }: Tool): Hints => ({
  readOnlyHint: annotations.readOnly,
  destructiveHint: annotations.destructive,
  idempotentHint: annotations.idempotent,
  openWorldHint: annotations.openWorld,
});

/** Omits hints that are the protocol's defaults or that have no meaning for read-only tools. */
function hintsForAgents({ annotations }: Tool): Hints {
  const { readOnly, destructive, idempotent, openWorld } = annotations;
  return {
    ...(readOnly && { readOnlyHint: true }),
    ...(!readOnly && !destructive && { destructiveHint: false }),
    ...(!readOnly && idempotent && { idempotentHint: true }),
    ...(!openWorld && { openWorldHint: false }),
  };
}

/** Describes a call's result to a model. */
function resultOf({ inline, output }: Tool): string {
  if (inline)
    return `Returns the file, or a 24-hour URL if it is ${INLINE_BYTES / MB} MB or larger.`;
  if (output) return `Returns {${Object.keys(output.shape).join(', ')}}.`;
  return 'Returns the URL of the file, valid for 24 hours.';
}

/** Describes the result of a call to the endpoint for agents, which shows images and returns a link to every file. */
function resultForAgents({ produces, output }: Tool): string {
  if (produces?.some((type) => type.startsWith('image/'))) {
    return 'Returns the image and its URL, valid for 24 hours.';
  }
  if (!output) return 'Returns the URL of the file, valid for 24 hours.';
  const names = Object.keys(output.shape);
  if (names.length === 0) return 'Returns the result of the last step.';
  if (!names.includes('dataUrl')) return `Returns {${names.join(', ')}}.`;
  return `Returns the image and {${names.join(', ').replace('dataUrl', 'url')}}.`;
}

/** Whether a tool returns several files as a ZIP. */
export const makesZip = ({ produces }: Tool): boolean =>
  produces?.includes('application/zip') === true;

/** The `as` parameter, which the endpoint for agents adds to tools that return several files. */
const AS = {
  type: 'string',
  enum: ['zip', 'links'],
  default: 'zip',
  description: 'links: a URL for each file.',
};

function inputForAgents(tool: Tool): ListedTool['inputSchema'] {
  const schema = inputSchema(tool, 'stored here, public https, or data: (2 kB)');
  return makesZip(tool) ? { ...schema, properties: { ...schema.properties, as: AS } } : schema;
}

const STORED = 'stored on this server: returned by a tool, or uploaded (POST /api/v1/uploads)';

/**
 * Returns the schema of the arguments, which does not allow unknown keys. Files are given as links, because MCP has no
 * upload channel.
 */
function inputSchema(tool: Tool, where: string): ListedTool['inputSchema'] {
  const { properties = {}, required = [], ...schema } = parametersSchema(tool);
  const shortened = Object.entries(properties).map(([name, property]) => [name, shorten(property)]);
  const result: ListedTool['inputSchema'] = {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(shortened) as Record<string, JsonSchema>,
  };
  const link = linkNameOf(tool);
  if (link) {
    const several = link === 'fileUrls';
    const { format: _, items: __, ...bounds } = result.properties![link]!;
    result.properties![link] = {
      ...bounds,
      ...(several ? { items: { type: 'string' } } : {}),
      description: several ? `Ordered URLs of files ${where}.` : `URL of a file ${where}.`,
    };
    required.push(link);
  }
  return required.length > 0 ? { ...result, required } : result;
}

/** Removes the safe-integer bounds, because they are not limits of the tools. */
function shorten(property: JsonSchema): JsonSchema {
  const retained = Object.entries(property).filter(
    ([name, value]) =>
      !(/^(min|max)imum$/.test(name) && Math.abs(value as number) === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(retained);
}
