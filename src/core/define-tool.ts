/** The one definition of a tool, from which catalogue, checks, MCP, OpenAPI, pages and limits are derived. */
import type * as z from 'zod';
import type { Caller } from './caller.ts';
import type { InputFile } from './input-file.ts';
import type { Limit } from './limits.ts';
import type { ModelKind } from './models-port.ts';
import type { PortName, Ports } from './ports.ts';
import type { ToolOutput } from './tool-output.ts';

export const DOMAINS = ['documents', 'media', 'web', 'text', 'dev'] as const;
export type Domain = (typeof DOMAINS)[number];

export type Door = 'rest' | 'mcp' | 'chain';

/** Kinds of file, told by their bytes (lib/magic-bytes.ts, lib/picture-kind.ts). `any` leaves the judging to the tool. */
export type FileKind = 'pdf' | 'image' | 'any';

/** The files a tool takes. `file`/`fileUrl` for one, `files`/`fileUrls` for several are derived from `max`. */
export interface FileInput {
  min: number;
  max: number;
  /** Bound of a single file in bytes; 413 beyond. */
  maxBytes: number;
  /** Bound of all files together in bytes; 413 beyond. */
  maxTotalBytes?: number;
  kinds: readonly FileKind[];
  /** Throws a ToolError where this file is not what the tool takes, beyond `kinds`; before the call is counted. */
  check?(file: InputFile): void;
  /** Only an upload will do: `fileUrl` does not apply (compress_video, upload_file). */
  uploadOnly?: boolean;
}

/** Hints for models, named as in the MCP specification (ToolAnnotations). */
export interface Annotations {
  readOnly: boolean;
  idempotent: boolean;
  openWorld: boolean;
  destructive: boolean;
}

export type Context<N extends PortName = never> = CallContext & Pick<Ports, N>;

export interface CallContext {
  files: readonly InputFile[];
  caller: Caller;
  /** Aborts when the caller goes away; hand it down to everything that waits. */
  signal: AbortSignal;
  /** Bytes that the result may take as JSON: 8 MiB if it will be stored, infinite if it is answered directly. */
  resultBytes: number;
  /** Reports progress from 0 to 1 to callers that listen. */
  progress(fraction: number, message?: string): void;
  /** Tells the caller something that is no error: shown in `X-Tool-Warnings`. */
  warn(message: string): void;
  /** Charges model tokens to the caller's key. */
  spend(tokens: number): void;
}

export interface Example<P = Record<string, unknown>> {
  parameters?: P;
  files?: readonly string[];
}

export interface ToolDefinition<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  N extends PortName = PortName,
  C = unknown,
> {
  /** As on the wire. */
  name: string;
  /** As on a page. */
  title: string;
  /** The MCP domain; null where the tool is not offered over MCP. */
  domain: Domain | null;
  /** For people and models: when to use it, what it returns, the limits that matter. */
  description: string;
  /** Parameters without files; strict. */
  input: I;
  /** The JSON result; absent where the result is a file. A text that is not plain says its `contentMediaType` (JSON Schema). */
  output?: O;
  /** What a file result is, for the API description: media types. */
  produces?: readonly string[];
  /** Over MCP its file stands in the result itself while it is small (api.md, MCP); any other tool's is a stored link. */
  inline?: boolean;
  /** Whether its result contains text of pages or documents. Over MCP such text is marked as data. */
  untrusted?: boolean;
  files?: FileInput;
  /** A sensible call: shown as code, and put into the page's form. Of files the names. */
  example?: Example<z.input<I>>;
  access: 'anyone' | 'account' | { anonymousPerHour: number };
  limits: readonly Limit[];
  /** Asks a model, whose tokens are charged to the key's monthly quota; which calls do, where not all of them. */
  spendsTokens?: boolean | ((parameters: z.output<I>) => boolean);
  /** Takes longer than people wait without a sign: its page runs it as a job. */
  isLong?: boolean;
  doors: readonly Door[];
  annotations: Annotations;
  needs: readonly N[];
  /** The kind of model without which no call of it can be answered: 501 before anything is counted or queued. */
  model?: ModelKind;
  /**
   * Checks what the schema cannot, before the call is counted or queued, and returns what it parsed for `run`. Throws a
   * ToolError.
   */
  check?(parameters: z.output<I>): C;
  /** Absent: listed, not executable (it runs in the browser). */
  run?(parameters: z.output<I>, context: Context<N>, checked: C): ToolOutput | Promise<ToolOutput>;
}

/** A definition with its types forgotten, as the corridor and the catalogue handle it. */
export type Tool = Omit<ToolDefinition, 'run' | 'check' | 'spendsTokens'> & {
  spendsTokens?: boolean | ((parameters: never) => boolean);
  check?(parameters: never): unknown;
  run?(parameters: never, context: never, checked: never): ToolOutput | Promise<ToolOutput>;
};

/** The name of the parameter that takes stored files; null where the tool takes none. */
export function linkNameOf({ files }: Tool): 'fileUrl' | 'fileUrls' | null {
  if (!files || files.uploadOnly) return null;
  return files.max > 1 ? 'fileUrls' : 'fileUrl';
}

/** The name of the multipart part that takes a tool's files. */
export const partName = ({ max }: FileInput): 'file' | 'files' => (max > 1 ? 'files' : 'file');

/** Checks a definition's types: parameters and ports inside `run` are those declared. */
export function defineTool<
  I extends z.ZodObject,
  O extends z.ZodObject,
  N extends PortName = never,
  C = void,
>(definition: ToolDefinition<I, O, N, C>): ToolDefinition<I, O, N, C> {
  return definition;
}
