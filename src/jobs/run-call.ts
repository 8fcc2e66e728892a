/** Runs a job's call in the same pipeline as a synchronous call. Its files come from storage. */
import type { Tool } from '../core/define-tool.ts';
import type { InputFile } from '../core/input-file.ts';
import type { JobCall, JobFile } from '../core/jobs.ts';
import { MAX_STORED_JSON_BYTES } from '../core/limits.ts';
import type { Ports, StoragePort } from '../core/ports.ts';
import { runChain } from '../execute/chain.ts';
import { readSteps } from '../execute/chain-steps.ts';
import { execute, openCall, prepare, type RunOptions } from '../execute/execute.ts';
import { storeOutput } from '../execute/store-output.ts';
import { transcodeVideo } from '../tools/compress_video/transcode-video.ts';
import { toolNamed } from '../tools/find-tool.ts';

export interface Outcome {
  value: object;
  warnings: string[];
  /** The IDs of the files that the call stored. */
  outputs: string[];
  /**
   * The error of a chain's failed step. If it is set, the job failed, and `value` contains the results up to this step.
   */
  thrown?: unknown;
}

/** Runs the call. Throws any error from the tool. */
export async function runCall(call: JobCall, options: RunOptions, ports: Ports): Promise<Outcome> {
  if (call.kind === 'chain') return chainOutcome(call, options, ports);
  const files = await Promise.all(call.files.map((file) => openInput(file, ports.storage)));
  options.record?.received(files);
  const prepared = prepare(toolOf(call.tool), {
    parameters: call.parameters,
    files,
    surface: 'rest',
  });
  const { output, warnings, bytes } = await execute(
    await openCall(prepared, ports),
    { ...options, resultBytes: MAX_STORED_JSON_BYTES },
    ports,
  );
  if (output.kind === 'json') {
    options.record?.sent(bytes!);
    return { value: output.value, warnings, outputs: output.stored ? [output.stored] : [] };
  }
  const { id, ...value } = await storeOutput(output, ports.storage, options.caller);
  options.record?.sent(value.size);
  return { value, warnings, outputs: [id] };
}

/** Returns an API tool or `transcode_video`, which runs only as a job. */
const toolOf = (name: string): Tool =>
  name === transcodeVideo.name ? transcodeVideo : toolNamed(name);

async function chainOutcome(
  { toolChain, plan }: Extract<JobCall, { kind: 'chain' }>,
  options: RunOptions,
  ports: Ports,
): Promise<Outcome> {
  const run = await runChain(readSteps(toolChain), options, ports);
  return {
    value: { ...run.result, ...(plan && { plan }) },
    warnings: run.warnings,
    outputs: run.stored,
    thrown: run.thrown,
  };
}

/**
 * Opens an input with the type that the caller declared, because storage contains only the type with which the file is
 * served.
 */
async function openInput(
  { id, name, declaredType }: JobFile,
  storage: StoragePort,
): Promise<InputFile> {
  return { ...(await storage.openById(id, 'file')), name, declaredType };
}
