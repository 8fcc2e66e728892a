/** Tools as MCP lists them: short, because models read them; derived from the registry. */
import type { Tool } from '../core/define-tool.ts';
import { INLINE_BYTES, MB } from '../core/limits.ts';
import { linkNameOf } from '../execute/input-files.ts';
import { type JsonSchema, parametersSchema } from './json-schema.ts';

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/**
 * A tool as `tools/list` shows it. The output schema is omitted, because it would cost a third more tokens
 * (docs/adr/0020).
 */
export function listedTool(tool: Tool): ListedTool {
  const { readOnly, destructive, idempotent, openWorld } = tool.annotations;
  return {
    name: tool.name,
    title: tool.title,
    description: `${tool.description} ${resultOf(tool)}`,
    inputSchema: inputSchema(tool),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
}

/** Describes the result of a call for a model. */
function resultOf({ inline, produces, output }: Tool): string {
  if (inline)
    return `Returns the file itself, from ${INLINE_BYTES / MB} MB on a URL that lives 24 hours.`;
  if (produces) return 'Returns the URL of the file, which lives 24 hours.';
  return `Returns {${Object.keys(output?.shape ?? {}).join(', ')}}.`;
}

const STORED = 'stored on this server: returned by a tool, or uploaded (POST /api/v1/uploads)';

/** Unknown keys are refused. Files are given as links, because MCP has no upload channel. */
function inputSchema(tool: Tool): ListedTool['inputSchema'] {
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
      description: several ? `URLs of files ${STORED}; in order.` : `URL of a file ${STORED}.`,
    };
    required.push(link);
  }
  return required.length > 0 ? { ...result, required } : result;
}

/** Removes the bounds of safe integers, which carry no information. */
function shorten(property: JsonSchema): JsonSchema {
  const retained = Object.entries(property).filter(
    ([name, value]) =>
      !(/^(min|max)imum$/.test(name) && Math.abs(value as number) === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(retained);
}
