/** Runs a tool through the pipeline, as the surfaces do, for tests of tools. */
import type { ToolDefinition } from '../../src/core/define-tool.ts';
import type { InputFile } from '../../src/core/input-file.ts';
import type { Ports } from '../../src/core/ports.ts';
import type { FileOutput } from '../../src/core/tool-output.ts';
import { execute, openCall, prepare } from '../../src/execute/execute.ts';

interface Ran {
  value: Record<string, unknown>;
  file: FileOutput;
  warnings: string[];
  /** The additional response headers. */
  headers: Record<string, string>;
}

/**
 * Executes a tool in the same way as REST. The result is either JSON (`value`) or a file (`file`). Reading the other
 * property throws an error.
 */
export async function runTool(
  // biome-ignore lint/suspicious/noExplicitAny: a definition of any shape
  tool: ToolDefinition<any, any, any, any>,
  parameters: Record<string, unknown>,
  options: {
    files?: InputFile[];
    ports?: Partial<Ports>;
    signal?: AbortSignal;
    spend?: (tokens: number) => void;
  } = {},
): Promise<Ran> {
  const ports = (options.ports ?? {}) as Ports;
  const prepared = prepare(tool, { parameters, files: options.files ?? [], surface: 'rest' });
  const { output, warnings } = await execute(
    await openCall(prepared, ports),
    {
      requestId: 'test',
      caller: { address: '127.0.0.1' },
      signal: () => options.signal ?? new AbortController().signal,
      spend: options.spend,
    },
    ports,
  );
  return {
    get value() {
      if (output.kind !== 'json') throw new Error('the result is a file');
      return output.value;
    },
    get file() {
      if (output.kind !== 'file') throw new Error('the result is JSON');
      return output;
    },
    warnings,
    headers: output.headers ?? {},
  };
}
