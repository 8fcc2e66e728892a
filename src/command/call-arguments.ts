/** Reads the arguments of one tool: options become parameters, the others are files or required parameters. */
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { CommandTool, ToolOption } from './tools.ts';
import { UsageError } from './usage-error.ts';

export const COMMON = {
  out: { type: 'string', short: 'o' },
  filename: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export interface OutputOptions {
  /** A file, a folder, or `-` for stdout. */
  out?: string;
  /** The name of the file that comes from stdin. */
  filename?: string;
  json?: boolean;
  help?: boolean;
}

export interface CallArguments extends OutputOptions {
  parameters: Record<string, unknown>;
  /** Paths, patterns, links, or `-`. */
  inputs: string[];
}

export async function readCallArguments(
  tool: CommandTool,
  args: readonly string[],
): Promise<CallArguments> {
  const own = Object.entries(tool.options).filter(([name]) => !(name in COMMON));
  const { values, positionals } = parseArgs({
    args: args.map(inCamelCase),
    options: {
      ...Object.fromEntries(own.map(([name, option]) => [name, shape(option)])),
      ...COMMON,
    },
    allowPositionals: true,
    allowNegative: true,
  });
  const { out, filename, json, help, ...given } = values as OutputOptions & Record<string, unknown>;
  const output = { out, filename, json, help };
  if (help) return { ...output, parameters: {}, inputs: [] };
  const inputs = tool.files ? positionals : [];
  if (!tool.files) await fillRequired(tool, given, positionals);
  const missing = Object.entries(tool.options).find(
    ([name, { required }]) => required && given[name] === undefined,
  );
  if (missing)
    throw new UsageError(`The option --${missing[0]} is required. Add --help to see all options.`);
  const parameters = Object.entries(given).map(([name, value]) => [
    name,
    converted(name, value, tool.options[name]!),
  ]);
  return { ...output, parameters: Object.fromEntries(parameters), inputs };
}

const shape = ({ type }: ToolOption) => ({
  type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
  multiple: type === 'array',
});

/** `--page-size=a4` is the same as `--pageSize=a4`. */
function inCamelCase(argument: string): string {
  if (!argument.startsWith('--') || argument.startsWith('--no-')) return argument;
  const [name = '', ...value] = argument.split('=');
  const camel = name.replace(/(\w)-(\w)/g, (_, before, after) => before + after.toUpperCase());
  return [camel, ...value].join('=');
}

/** Arguments without a name are the required parameters in their order; `-` is read from stdin. */
async function fillRequired(
  { options }: CommandTool,
  given: Record<string, unknown>,
  positionals: readonly string[],
): Promise<void> {
  const names = Object.keys(options).filter(
    (name) => options[name]!.required && given[name] === undefined,
  );
  if (positionals.length > names.length) {
    throw new UsageError(
      `"${positionals[names.length]}" is one argument too many. Put a text with spaces in quotes.`,
    );
  }
  for (const [index, value] of positionals.entries()) {
    given[names[index]!] = value === '-' ? await text(process.stdin) : value;
  }
}

function converted(name: string, value: unknown, { type }: ToolOption): unknown {
  if (type !== 'number' && type !== 'integer') return value;
  const number = Number(value);
  if (String(value).trim() === '' || Number.isNaN(number)) {
    throw new UsageError(`The option --${name} must be a number, not "${value}".`);
  }
  return number;
}
