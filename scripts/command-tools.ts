/** Generates src/command/tools.gen.json, which contains the options and the help text of each tool for the CLI. */
import { isExecutable } from '../src/catalogue/catalogue.ts';
import { parametersSchema, resultSchema } from '../src/catalogue/json-schema.ts';
import { VERSION } from '../src/catalogue/version.ts';
import { linkNameOf, type Tool } from '../src/core/define-tool.ts';
import { TEXT_FIELDS } from '../src/execute/feed.ts';

export function commandTools(tools: readonly Tool[]): string {
  const lines = tools
    .filter(isExecutable)
    .map((tool) => `  ${JSON.stringify(tool.name)}: ${JSON.stringify(described(tool))}`);
  return `{ "version": "${VERSION}", "tools": {\n${lines.join(',\n')}\n} }\n`;
}

function described(tool: Tool) {
  const { properties = {}, required = [] } = parametersSchema(tool);
  const results = resultSchema(tool)?.properties ?? {};
  const own = Object.entries(properties).filter(([name]) => name !== linkNameOf(tool));
  return {
    title: tool.title,
    description: tool.description,
    files: tool.files && { min: tool.files.min, max: tool.files.max },
    isUpload: tool.files?.isStored,
    isLong: tool.isLong,
    mainText: [...TEXT_FIELDS, 'shortUrl'].find((name) => name in results),
    options: Object.fromEntries(
      own.map(([name, { type, description, default: byDefault, enum: values }]) => [
        name,
        {
          type,
          description,
          values,
          default: byDefault,
          required: required.includes(name) || undefined,
        },
      ]),
    ),
  };
}
