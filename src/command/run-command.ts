/** Runs the tool or the command that a command line names. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type ChainStep, connect, type Tools } from '../client/client.ts';
import { COMMON } from './call-arguments.ts';
import { overview } from './help.ts';
import { exitCodeOf, report } from './report.ts';
import { runTool } from './run-tool.ts';
import { TOOLS, VERSION } from './tools.ts';
import { UsageError } from './usage-error.ts';
import { writeResult } from './write-result.ts';

/** Returns the exit code. */
export async function runCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    return await run([...args], signal);
  } catch (thrown) {
    report(thrown, args.includes('--json'));
    return exitCodeOf(thrown);
  }
}

async function run([name, ...args]: string[], signal: AbortSignal): Promise<number> {
  const tools = connect({
    baseUrl: process.env.TOOLS_URL || 'http://localhost:8787',
    ...(process.env.TOOLS_KEY && { key: process.env.TOOLS_KEY }),
    onWarning: (message) => process.stderr.write(`tools: ${message}\n`),
  });
  const tool = name === 'upload' ? 'upload_file' : name;
  if (tool !== undefined && Object.hasOwn(TOOLS, tool)) return runTool(tools, tool, args, signal);
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(overview());
    return 0;
  }
  if (name === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    throw new UsageError(`There is no tool or command "${name}". Run: tools --help`);
  }
  const { values, positionals } = parseArgs({
    args,
    options: COMMON,
    allowPositionals: true,
  });
  const result = await COMMANDS[name]!(tools, positionals[0], signal);
  await writeResult(result, {}, values);
  return (result as { completed?: boolean }).completed === false ? 1 : 0;
}

type Command = (
  tools: Tools,
  argument: string | undefined,
  signal: AbortSignal,
) => Promise<unknown>;

const COMMANDS: Record<string, Command> = {
  key: (tools) => tools.usage(),
  search: (
    tools,
    question = missing('Name what to search for, such as: tools search "merge PDFs".'),
    signal,
  ) => tools.search(question, { signal }),
  chain: async (
    tools,
    path = missing('Name a JSON file with the chain, or - for stdin.'),
    signal,
  ) =>
    tools.chain(stepsIn(path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')), {
      signal,
    }),
};

/** The steps, or the text to plan them from: alone, or as in the body of a request. */
function stepsIn(json: string): ChainStep[] {
  try {
    const chain = JSON.parse(json);
    return chain?.toolChain ?? chain?.message ?? chain;
  } catch (error) {
    throw new UsageError(
      `The chain is not JSON: ${(error as Error).message}. Check its quotes, commas and brackets.`,
    );
  }
}

function missing(message: string): never {
  throw new UsageError(message);
}
