/** Runs the tool or command that a command line names. */
import { text } from 'node:stream/consumers';
import { type ChainStep, connect, type Tools } from '../client/client.ts';
import { didYouMean, similarNames } from '../core/similar-names.ts';
import { COMMON, parseCommandLine } from './call-arguments.ts';
import { commandHelp, overview } from './help.ts';
import { openFile } from './input-files.ts';
import { exitCodeOf, report } from './report.ts';
import { runTool } from './run-tool.ts';
import { TOOLS, VERSION } from './tools.ts';
import { UsageError } from './usage-error.ts';
import { writeResult } from './write-result.ts';

/** Runs a command line. Prints the result or the error. Returns the exit code. */
export async function runCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    return await run([...args], signal);
  } catch (thrown) {
    report(thrown, args.includes('--json'));
    return exitCodeOf(thrown);
  }
}

async function run([name, ...args]: string[], signal: AbortSignal): Promise<number> {
  const tool = name === 'upload' ? 'upload_file' : name;
  if (tool !== undefined && Object.hasOwn(TOOLS, tool))
    return runTool(connected, tool, args, signal);
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(overview());
    return 0;
  }
  if (name === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    const known = ['upload', ...Object.keys(COMMANDS), ...Object.keys(TOOLS)];
    const question = didYouMean(similarNames(name, known));
    throw new UsageError(`There is no tool or command "${name}".${question} Run: tools --help`);
  }
  const { values, positionals } = parseCommandLine(name, args, COMMON);
  if (values.help) {
    process.stdout.write(commandHelp(name));
    return 0;
  }
  const result = await COMMANDS[name]!(connected(), positionals, signal);
  await writeResult(result, {}, values);
  return (result as { completed?: boolean }).completed === false ? 1 : 0;
}

/** Creates a client for the service that the environment variables name. The help works without a client. */
const connected = (): Tools =>
  connect({
    baseUrl: serviceAddress(),
    ...(process.env.TOOLS_KEY && { key: process.env.TOOLS_KEY }),
    onWarning: (message) => process.stderr.write(`tools: ${message}\n`),
  });

type Command = (tools: Tools, given: string[], signal: AbortSignal) => Promise<unknown>;

const COMMANDS: Record<string, Command> = {
  key: (tools, given) => {
    if (given.length > 0) throw new UsageError('The command key has no arguments.');
    if (!process.env.TOOLS_KEY) {
      throw new UsageError('Set the environment variable TOOLS_KEY to your key.');
    }
    return tools.usage();
  },
  search: (tools, words, signal) => {
    if (words.length === 0) {
      throw new UsageError('Add search terms. Example: tools search merge PDFs');
    }
    return tools.search(words.join(' '), { signal });
  },
  chain: async (tools, paths, signal) => {
    const [path] = paths;
    if (path === undefined || paths.length > 1) {
      throw new UsageError('Pass one JSON file with the chain, or - for stdin.');
    }
    const steps = path === '-' ? text(process.stdin) : (await openFile(path)).text();
    return tools.chain(stepsIn(await steps), { signal });
  },
};

/** Returns the URL in TOOLS_URL, or the URL of the local service. */
function serviceAddress(): string {
  const address = process.env.TOOLS_URL || 'http://localhost:8787';
  if (/^https?:\/\/[^/]/i.test(address) && URL.canParse(address)) return address;
  throw new UsageError(
    `TOOLS_URL is not an HTTP URL: "${address}". Example: TOOLS_URL=http://localhost:8787`,
  );
}

/**
 * Returns the steps of a chain, or the text from which to plan them. `json` is the steps, the text, or a request body
 * with either of them.
 */
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
