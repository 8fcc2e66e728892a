/** The definition of a tool. Catalogue, input checks, MCP, OpenAPI, pages and limits are derived from it. */
import type * as z from 'zod';
import type { Caller } from './caller.ts';
import type { FormFields } from './form-field.ts';
import type { InputFile } from './input-file.ts';
import type { Limit } from './limits.ts';
import type { ModelKind } from './models-port.ts';
import type { PortName, Ports } from './ports.ts';
import type { ResultView } from './result-view.ts';
import type { ToolOutput } from './tool-output.ts';

export const DOMAINS = ['documents', 'media', 'web', 'text', 'dev'] as const;
export type Domain = (typeof DOMAINS)[number];

/** What a tool is about. These are the headings of the home page, in this order. */
export const KINDS = {
  pdf: 'PDF and scans',
  media: 'Images and video',
  files: 'Files, links and QR codes',
  web: 'Web pages',
  text: 'Text',
  data: 'Data, time and numbers',
  code: 'Encoding and tokens',
  writing: 'Writing, with a model',
} as const;
export type ToolKind = keyof typeof KINDS;

export type ToolSurface = 'rest' | 'mcp' | 'chain';

/** The kind of a file, detected from its bytes. `any` leaves the check to the tool. */
export type FileKind = 'pdf' | 'image' | 'any';

/** The files that a tool takes. `max` decides between `file`/`fileUrl` and `files`/`fileUrls`. */
export interface FileInput {
  min: number;
  max: number;
  /** The size limit of one file in bytes; larger files are refused with 413. */
  maxBytes: number;
  /** The size limit of all files together in bytes; 413 beyond. */
  maxTotalBytes?: number;
  kinds: readonly FileKind[];
  /** Throws a ToolError if the tool does not take this file, beyond `kinds`. Runs before the call is counted. */
  check?(file: InputFile): void | Promise<void>;
  /** Whether only an upload is accepted and `fileUrl` does not apply (compress_video, upload_file). */
  uploadOnly?: boolean;
  /** Whether the file itself is stored, so that its link works for 7 days (upload_file). */
  isStored?: boolean;
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
  /** Aborts when the caller disconnects. Pass it to every operation that waits. */
  signal: AbortSignal;
  /** The size limit of the result as JSON: 8 MiB if the result is stored, infinite if it is answered directly. */
  resultBytes: number;
  /**
   * Waits until no other large call is computing. Call it before more than 20 ms of computation that the size of the
   * parameters does not predict. Throws 503.
   * @param bytes what the call will hold in memory, if that is much
   */
  beginLarge(bytes?: number): Promise<void>;
  /**
   * Reports progress from 0 to 1, and the current step, such as `page 2 of 7`. Undefined if progress is not requested.
   */
  progress?(fraction: number, message?: string): void;
  /** Adds a warning to the response, shown in `X-Tool-Warnings`. */
  warn(message: string): void;
  /** Charges model tokens to the caller's key. */
  spend(tokens: number): void;
}

export interface Example<P = Record<string, unknown>> {
  parameters?: P;
  files?: readonly string[];
  /** A JSON result that the page shows before the first call, for tools that do not run in their page. */
  result?: Record<string, unknown>;
}

export interface ToolDefinition<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  N extends PortName = PortName,
  C = unknown,
> {
  /** The name in the API. */
  name: string;
  /** The title on pages. */
  title: string;
  /** The label of the button that runs the tool, at most three words. */
  shortName: string;
  kind: ToolKind;
  /** The name of a Lucide icon (https://lucide.dev). */
  icon: string;
  /** The MCP domain; null if the tool is not offered over MCP. */
  domain: Domain | null;
  /**
   * A description for people and models: when to use the tool, what it returns, and the limits that
   * matter.
   */
  description: string;
  /** The parameters without files; unknown keys are refused. */
  input: I;
  /**
   * The JSON result; absent if the result is a file. A formatted text declares its `contentMediaType` (JSON Schema).
   */
  output?: O;
  /** Shows the JSON result on a page, if the default view is not enough. Loaded only when a page needs it. */
  resultView?: () => Promise<{ resultView: ResultView<z.output<O>> }>;
  /** The media types of a file result, for the API description. */
  produces?: readonly string[];
  /**
   * Whether MCP returns a small file in the result itself (api.md, MCP). Files of other tools are always returned as a
   * stored link.
   */
  inline?: boolean;
  /** Whether the result contains text of pages or documents, which is marked as data over MCP. */
  untrusted?: boolean;
  files?: FileInput;
  /** A realistic call, for the code sample and the initial values of the page's form. Files are given by name. */
  example?: Example<z.input<I>>;
  /** What people type when they search for the tool, besides the words of its title and document. */
  synonyms?: readonly string[];
  /** How the tool's page shows its parameters. */
  form?: FormFields;
  access: 'anyone' | 'account' | { anonymousPerHour: number };
  limits: readonly Limit[];
  /**
   * Whether the tool calls a model whose tokens are charged to the key's monthly quota; a function if only some calls
   * do.
   */
  spendsTokens?: boolean | ((parameters: z.output<I>) => boolean);
  /** Whether a call usually takes so long that the tool's page runs it as a job. */
  isLong?: boolean;
  surfaces: readonly ToolSurface[];
  annotations: Annotations;
  needs: readonly N[];
  /** The kind of model that every call needs. Without it, a call is refused with 501 before it is counted or queued. */
  model?: ModelKind;
  /**
   * Checks what the schema cannot, before the call is counted or queued, and returns what it parsed for `run`. Throws a
   * ToolError.
   */
  check?(parameters: z.output<I>): C;
  /** Like `check`, for checks that depend on the service's configuration. */
  checkWith?(parameters: z.output<I>, ports: Pick<Ports, N>, checked: C): void;
  /** Absent if the tool runs only in the browser: it is listed but cannot be called. */
  run?(parameters: z.output<I>, context: Context<N>, checked: C): ToolOutput | Promise<ToolOutput>;
}

/** A definition without its type parameters, as the pipeline and the catalogue use it. */
export type Tool = Omit<
  ToolDefinition,
  'run' | 'check' | 'checkWith' | 'spendsTokens' | 'resultView'
> & {
  resultView?: () => Promise<{ resultView: ResultView<never> }>;
  spendsTokens?: boolean | ((parameters: never) => boolean);
  check?(parameters: never): unknown;
  checkWith?(parameters: never, ports: never, checked: never): void;
  run?(parameters: never, context: never, checked: never): ToolOutput | Promise<ToolOutput>;
};

/** Returns the parameter that takes stored files; null if the tool takes none. */
export function linkNameOf({ files }: Tool): 'fileUrl' | 'fileUrls' | null {
  if (!files || files.uploadOnly) return null;
  return files.max > 1 ? 'fileUrls' : 'fileUrl';
}

/** Returns the name of the multipart part that takes a tool's files. */
export const partName = ({ max }: FileInput): 'file' | 'files' => (max > 1 ? 'files' : 'file');

/** Checks the types of a definition: `run` gets the declared parameters and ports. */
export function defineTool<
  I extends z.ZodObject,
  O extends z.ZodObject,
  N extends PortName = never,
  C = void,
>(definition: ToolDefinition<I, O, N, C>): ToolDefinition<I, O, N, C> {
  return definition;
}
