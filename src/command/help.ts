/** Builds the help that `--help` prints. */
import { COMMON } from './call-arguments.ts';
import { EXIT_CODES } from './report.ts';
import { type CommandTool, TOOLS, type ToolOption } from './tools.ts';

const COMMANDS: Record<string, string> = {
  'chain FILE': 'run the tools in a JSON file, passing each result to the next',
  'upload FILE…': 'store files for 7 days and print their links',
  'search QUESTION': 'find passages in the documentation',
  key: 'show the usage and the quotas of TOOLS_KEY',
  '--version': 'show the version of the CLI',
};

const COMMON_HELP: Record<keyof typeof COMMON, [name: string, meaning: string]> = {
  out: ['-o, --out PATH', 'where to write the result: a file, a folder/, or - for stdout'],
  filename: ['--filename NAME', 'the name to give the file from stdin'],
  json: ['--json', 'print JSON; a file without -o is stored for 24 hours and printed as a link'],
  help: ['-h, --help', 'show this help'],
};

const ENVIRONMENT = {
  TOOLS_URL: 'the URL of the service (default: http://localhost:8787)',
  TOOLS_KEY: 'an API key; without one, lower limits apply',
};

export function overview(): string {
  const tools = Object.entries(TOOLS).map(([name, { title }]): [string, string] => [name, title]);
  return [
    'Usage: tools TOOL [FILE…] [OPTIONS]\n\nTools (tools TOOL --help shows the options):',
    rows(tools),
    '\nCommands:',
    rows(Object.entries(COMMANDS)),
    ending(),
  ].join('\n');
}

/** Returns the help text of a command that is not a tool. */
export function commandHelp(name: string): string {
  const [usage, meaning] = Object.entries(COMMANDS).find(([each]) => each.split(' ')[0] === name)!;
  const { filename: _, ...common } = COMMON_HELP;
  return [
    `Usage: tools ${usage} [OPTIONS]\n`,
    meaning,
    '\nOptions:',
    rows(Object.values(common)),
    ending(),
  ].join('\n');
}

export function toolHelp(name: string, { description, files, options }: CommandTool): string {
  const required = Object.keys(options).filter((option) => options[option]!.required);
  const positional = files ? ['FILE…'] : required.map((option) => option.toUpperCase());
  const own = Object.entries(options).filter(([option]) => !(option in COMMON));
  const inputs = files ? [`${filesText(files)} A file is a path, a link, or - for stdin.`] : [];
  return [
    `Usage: ${['tools', name, ...positional, '[OPTIONS]'].join(' ')}\n`,
    [description, ...inputs].join('\n'),
    '\nOptions:',
    rows([...own.map(optionRow), ...Object.values(COMMON_HELP)]),
    ending(),
  ].join('\n');
}

const filesText = ({ min, max }: { min: number; max: number }) =>
  max === 1
    ? 'Each file is sent in a separate call, four at a time.'
    : `Takes ${min} to ${max} files.`;

const LONGEST_CHOICES = 30;

/** The placeholders for option values in the help. Any type that is not listed is a number. */
const VALUES: Record<string, string> = { string: 'TEXT', array: 'TEXT (repeatable)', boolean: '' };

function optionRow([name, option]: [string, ToolOption]): [string, string] {
  const { type, description = '', values } = option;
  const choices = values?.join('|') ?? '';
  const isOn = type === 'boolean' && option.default === true;
  const notes = [
    description,
    choices.length > LONGEST_CHOICES ? `One of ${values?.join(', ')}.` : '',
    option.required ? 'Required.' : '',
    option.default === undefined || type === 'boolean' ? '' : `Default: ${option.default}.`,
  ];
  const value = choices && choices.length <= LONGEST_CHOICES ? choices : VALUES[type ?? ''];
  return [`--${isOn ? 'no-' : ''}${name} ${value ?? 'N'}`.trim(), notes.filter(Boolean).join(' ')];
}

const ending = () =>
  [
    '\nEnvironment:',
    rows(Object.entries(ENVIRONMENT)),
    '\nExit codes:',
    rows(Object.entries(EXIT_CODES)),
    '',
  ].join('\n');

function rows(entries: [string, string][]): string {
  const width = Math.max(...entries.map(([name]) => name.length)) + 2;
  return entries.map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`).join('\n');
}
