/** Tools as MCP lists them: for models, so short; derived from the registry. */
import type { Tool } from '../core/define-tool.ts';
import { linkParameter } from '../execute/input-files.ts';
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

/** A tool as `tools/list` shows it. There is no output schema: it would cost a third more tokens (docs/adr/0020). */
export function listedTool(tool: Tool): ListedTool {
  const { readOnly, destructive, idempotent, openWorld } = tool.annotations;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
}

/** Strict; what a tool with files needs is a link, since MCP has no upload channel. */
function inputSchema(tool: Tool): ListedTool['inputSchema'] {
  const { properties = {}, required = [], ...schema } = parametersSchema(tool);
  const shortened = Object.entries(properties).map(([name, property]) => [name, shorten(property)]);
  const result: ListedTool['inputSchema'] = {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(shortened) as Record<string, JsonSchema>,
  };
  if (tool.files) {
    const several = tool.files.max > 1;
    const link = linkParameter(tool.files);
    const { format: _, items: __, ...bounds } = result.properties![link]!;
    result.properties![link] = {
      ...bounds,
      ...(several ? { items: { type: 'string' } } : {}),
      description: several ? 'Stored-file URLs, in order.' : 'Stored-file URL.',
    };
    required.push(link);
  }
  return required.length > 0 ? { ...result, required } : result;
}

/** Without the bounds of a safe integer, which say nothing. */
function shorten(property: JsonSchema): JsonSchema {
  const kept = Object.entries(property).filter(
    ([name, value]) =>
      !(/^(min|max)imum$/.test(name) && Math.abs(value as number) === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(kept);
}
