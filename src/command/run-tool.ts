/**
 * Runs a tool on the given files. A tool that takes several files receives all of them in one call. Any other tool is
 * called once per file.
 */
import { type CallOptions, type Tools, ToolsError } from '../client/client.ts';
import { type CallArguments, readCallArguments, STDIN_ONCE } from './call-arguments.ts';
import { toolHelp } from './help.ts';
import { expandPatterns, openInput, STDIN_NAME } from './input-files.ts';
import { isDirectory } from './make-folder.ts';
import { ProgressBar } from './progress-bar.ts';
import { exitCodeOf, report } from './report.ts';
import { type CommandTool, TOOLS } from './tools.ts';
import { UsageError } from './usage-error.ts';
import { writeResult } from './write-result.ts';

const CONCURRENT_CALLS = 4;

type AnyTool = (parameters: Record<string, unknown>, options: CallOptions) => Promise<unknown>;

/** Returns the exit code. `connected` is called only if there is something to send. */
export async function runTool(
  connected: () => Tools,
  name: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const tool = TOOLS[name]!;
  const given = await readCallArguments(name, tool, args);
  if (given.help) {
    process.stdout.write(toolHelp(name, tool));
    return 0;
  }
  const groups = inputsOfCalls(tool, given);
  const bar = new ProgressBar(groups.length);
  const run = (connected() as unknown as Record<string, AnyTool>)[name]!;
  let exitCode = 0;

  const call = async (index: number) => {
    const inputs = groups[index]!;
    const label = inputs.join(' ');
    const input = groups.length > 1 ? label : undefined;
    try {
      bar.set(index, 0, label);
      const sources = await Promise.all(inputs.map((each) => openInput(each, given.filename)));
      const files = tool.files && (tool.files.max > 1 ? { files: sources } : { file: sources[0] });
      const result = await run(
        { ...given.parameters, ...files },
        {
          signal,
          link: given.json && !given.out,
          ...(tool.isLong && {
            onProgress: ({ progress, message }) =>
              bar.set(index, progress, message ? `${label}, ${message}` : label),
          }),
        },
      );
      bar.clear();
      const out = given.out ?? (inputs.includes('-') && !given.json ? '-' : undefined);
      await writeResult(result, tool, { out, json: given.json, input });
    } catch (thrown) {
      // Some tools detect a file's type by its extension, which stdin lacks.
      if (thrown instanceof ToolsError && thrown.message.includes(`"${STDIN_NAME}"`)) {
        thrown.message += ' For stdin, add a file name: --filename NAME';
      }
      if (groups.length === 1 || signal.aborted) throw thrown;
      bar.clear();
      report(thrown, given.json, input);
      exitCode = Math.max(exitCode, exitCodeOf(thrown));
    }
    bar.set(index, 1, label);
  };

  const waiting = groups.keys();
  const work = async () => {
    for (const index of waiting) await call(index);
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT_CALLS }, work));
  } finally {
    bar.clear();
  }
  return exitCode;
}

/** Groups the inputs by call. */
function inputsOfCalls(tool: CommandTool, given: CallArguments): string[][] {
  const { files } = tool;
  if (!files) return [[]];
  const inputs = expandPatterns(given.inputs);
  if (inputs.length < files.min) {
    throw new UsageError(
      files.min === 1 ? 'Pass a file, or - for stdin.' : `Pass at least ${files.min} files.`,
    );
  }
  if (inputs.filter((input) => input === '-').length > 1) {
    throw new UsageError(STDIN_ONCE);
  }
  if (files.max > 1) return [inputs];
  const { out } = given;
  if (inputs.length > 1 && out && out !== '-' && !out.endsWith('/') && !isDirectory(out)) {
    throw new UsageError(`There are several results. End ${out} with / to write them to a folder.`);
  }
  return inputs.map((input) => [input]);
}
