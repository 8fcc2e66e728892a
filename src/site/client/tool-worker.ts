/**
 * Runs a tool in a web worker with the same modules as the service. Receives parameters and files, and returns the HTML
 * fragment that shows the result, or the error.
 */
import type { CallContext, Tool } from '../../core/define-tool.ts';
import { badRequest, ToolError } from '../../core/errors.ts';
import { HEAD_BYTES, type InputFile } from '../../core/input-file.ts';
import type { ToolOutput } from '../../core/tool-output.ts';
import { parseParameters } from '../../execute/parse-parameters.ts';
import { textOf } from '../markup-text.ts';
import { JsonResult } from '../tool/results/json-result.tsx';
import { errorText, unreadableText } from './parts/error-text.ts';
import { NOT_LOADED, type WorkerCall, type WorkerResponse } from './parts/load-tool.ts';

addEventListener('message', async ({ data, ports }: MessageEvent<WorkerCall>) => {
  ports[0]!.postMessage(await respondTo(data));
});

/** The files of the latest call. */
let inputs: Promise<InputFile[]> = Promise.resolve([]);

async function respondTo({ script, parameters, files: sent }: WorkerCall): Promise<WorkerResponse> {
  if (sent) inputs = Promise.all(sent.map(inputFile));
  try {
    const tool = await loaded(script);
    return await run(tool, parameters, await inputs);
  } catch (error) {
    const { status, param } = error instanceof ToolError ? error : { status: 500 };
    return { status, body: { error: errorText(error), param }, warnings: [] };
  }
}

async function loaded(script: string): Promise<Tool> {
  try {
    const [tool] = Object.values(await import(script)) as [Tool];
    // The view is loaded together with the tool, so that the page then works offline.
    await tool.resultView?.();
    return tool;
  } catch (error) {
    throw new ToolError('internal', errorText(error), { status: NOT_LOADED });
  }
}

async function run(
  tool: Tool,
  given: Record<string, unknown>,
  files: readonly InputFile[],
): Promise<WorkerResponse> {
  const { parameters, warnings } = parseParameters(tool, given, false);
  const context: CallContext = {
    files,
    caller: { address: '' },
    signal: new AbortController().signal,
    resultBytes: Number.POSITIVE_INFINITY,
    beginLarge: async () => {},
    warn: (message) => warnings.push(message),
    spend: () => {},
  };
  const checked = tool.check?.(parameters as never);
  const output: ToolOutput = await tool.run!(
    parameters as never,
    context as never,
    checked as never,
  );
  if (output.kind === 'file') throw new Error(`${tool.name} returned a file.`);
  const site = { storageUrl: '' };
  const markup = JsonResult({ tool, value: output.value, parameters, site });
  return { status: 200, body: await textOf(markup), warnings };
}

async function inputFile(file: File): Promise<InputFile> {
  const read = async (part: Blob) => {
    try {
      return new Uint8Array(await part.arrayBuffer());
    } catch {
      throw badRequest(unreadableText(file.name), 'file');
    }
  };
  return {
    name: file.name,
    size: file.size,
    declaredType: file.type || undefined,
    head: await read(file.slice(0, HEAD_BYTES)),
    bytes: () => read(file),
    stream: async () => file.stream(),
  };
}
