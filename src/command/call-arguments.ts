/**
 * Parses the arguments of one tool. Options become parameters. All other arguments are files or required parameters.
 */
import { text } from 'node:stream/consumers';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { didYouMean, similarNames } from '../core/similar-names.ts';
import type { CommandTool, ToolOption } from './tools.ts';
import { UsageError } from './usage-error.ts';

export const COMMON = {
  out: { type: 'string', short: 'o' },
  filename: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The error of a command line that names stdin twice. The second read would return nothing. */
export const STDIN_ONCE = 'Stdin (-) can be read only once.';

export interface OutputOptions {
  /** The path of a file or folder, or `-` for stdout. */
  out?: string;
  /** The name of the file that is read from stdin. */
  filename?: string;
  json?: boolean;
  help?: boolean;
}

export interface CallArguments extends OutputOptions {
  parameters: Record<string, unknown>;
  /** File paths, patterns and links, or `-` for stdin. */
  inputs: string[];
}

/** Parses the options and the other arguments of `tools NAME`. */
export function parseCommandLine<const O extends NonNullable<ParseArgsConfig['options']>>(
  name: string,
  args: readonly string[],
  options: O,
) {
  try {
    const config = { args: [...args], options, allowPositionals: true, allowNegative: true };
    const parsed = parseArgs(config as typeof config & { allowPositionals: true });
    // A script whose variable is empty would otherwise lose the result.
    if ((parsed.values as OutputOptions).out === '')
      throw new UsageError('The path after -o is empty.');
    return parsed;
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    const { code, message } = thrown as NodeJS.ErrnoException;
    // Only the first sentence of Node's message describes the error. The other sentences explain how Node parses
    // arguments.
    const [wrong = ''] = message.split(/[.\n]/, 1);
    const isUnknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    const isNumber = isUnknown && /'-[0-9]/.test(wrong);
    const advice = isNumber
      ? 'Put -- after all options and before a negative number'
      : `Run: tools ${name} --help`;
    const [, unknown] = isUnknown ? (/^Unknown option '--(?:no-)?([^']+)/.exec(wrong) ?? []) : [];
    const similar = unknown ? similarNames(unknown, Object.keys(options)) : [];
    throw new UsageError(
      `${wrong}.${didYouMean(similar.map((option) => `--${option}`))} ${advice}`,
    );
  }
}

/** @param name the name of the tool on the command line */
export async function readCallArguments(
  name: string,
  tool: CommandTool,
  args: readonly string[],
): Promise<CallArguments> {
  const own = Object.entries(tool.options).filter(([name]) => !(name in COMMON));
  const { values, positionals } = parseCommandLine(name, args.map(inCamelCase), {
    ...Object.fromEntries(own.map(([option, itsShape]) => [option, shape(itsShape)])),
    ...COMMON,
  });
  const { out, filename, json, help, ...given } = values as OutputOptions & Record<string, unknown>;
  const output = { out, filename, json, help };
  if (help) return { ...output, parameters: {}, inputs: [] };
  const inputs = tool.files ? positionals : [];
  if (!tool.files) await fillRequired(name, tool, given, positionals);
  const missing = Object.entries(tool.options).find(
    ([name, { required }]) => required && given[name] === undefined,
  );
  if (missing)
    throw new UsageError(`The option --${missing[0]} is required. Run: tools ${name} --help`);
  const parameters = Object.entries(given).map(([option, value]) => [
    option,
    converted(option, value, tool.options[option]!),
  ]);
  return { ...output, parameters: Object.fromEntries(parameters), inputs };
}

const shape = ({ type }: ToolOption) => ({
  type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
  multiple: type === 'array',
});

/** Treats `--page-size=a4` like `--pageSize=a4`. */
function inCamelCase(argument: string): string {
  if (!argument.startsWith('--') || argument.startsWith('--no-')) return argument;
  const [name = '', ...value] = argument.split('=');
  const camel = name.replace(/(\w)-(\w)/g, (_, before, after) => before + after.toUpperCase());
  return [camel, ...value].join('=');
}

/** Assigns positional arguments to the required parameters in order. The value of `-` is read from stdin. */
async function fillRequired(
  name: string,
  { options }: CommandTool,
  given: Record<string, unknown>,
  positionals: readonly string[],
): Promise<void> {
  const required = Object.keys(options).filter(
    (option) => options[option]!.required && given[option] === undefined,
  );
  if (positionals.length > required.length) {
    const advice = `Quote text that contains spaces, or see the options: tools ${name} --help`;
    throw new UsageError(`Unexpected argument "${positionals[required.length]}". ${advice}`);
  }
  if (positionals.indexOf('-') !== positionals.lastIndexOf('-')) throw new UsageError(STDIN_ONCE);
  for (const [index, value] of positionals.entries()) {
    given[required[index]!] = value === '-' ? await text(process.stdin) : value;
  }
}

function converted(name: string, value: unknown, { type }: ToolOption): unknown {
  if (type !== 'number' && type !== 'integer') return value;
  const number = Number(value);
  if (String(value).trim() === '' || !Number.isFinite(number)) {
    throw new UsageError(`The option --${name} must be a number, not "${value}".`);
  }
  return number;
}
