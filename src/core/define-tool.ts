/** Defines a tool. The catalogue, the input checks, MCP, OpenAPI, pages and limits are derived from the definition. */
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

/** The kinds of tools and their headings on the home page, in this order. */
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

/** The kind of a file, detected from its bytes. With `any`, only the tool checks the file. */
export type FileKind = 'pdf' | 'image' | 'any';

/**
 * The files that a tool takes. The parameters are `file` and `fileUrl` if `max` is 1, otherwise `files` and `fileUrls`.
 */
export interface FileInput {
  min: number;
  max: number;
  /** The size limit of one file in bytes. Larger files are refused with 413. */
  maxBytes: number;
  /** The size limit of all files together in bytes. Larger inputs are refused with 413. */
  maxTotalBytes?: number;
  kinds: readonly FileKind[];
  /**
   * The filename extensions that `check` accepts, such as `pdf`. Set only if `check` decides by the extension. The
   * tool's page refuses other files.
   */
  extensions?: readonly string[];
  /** The note on the tool's page about files with other extensions. It may contain Markdown links to tools. */
  otherwise?: string;
  /**
   * Checks the file after its kind has been checked. Throws a ToolError if the tool does not accept the file. Runs
   * before the call is counted, except for files from outside our storage.
   */
  check?(file: InputFile): void | Promise<void>;
  /** Whether the file must be uploaded, in which case there is no `fileUrl` (compress_video, upload_file). */
  uploadOnly?: boolean;
  /** Whether the input file itself is stored, so that its link works for 7 days (upload_file). */
  isStored?: boolean;
}

/** Hints for models, as in the MCP specification's ToolAnnotations. */
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
  /**
   * Aborts when the result is no longer needed, for example if the caller disconnects. Pass it to every operation that
   * waits.
   */
  signal: AbortSignal;
  /** The size limit of the JSON result in bytes: 8 MiB over MCP, in chains and in jobs, and infinite in other calls. */
  resultBytes: number;
  /**
   * Waits until no other large call is computing. Call it before a computation that may take more than 20 ms and whose
   * duration cannot be predicted from the size of the parameters. Throws 503 if the wait is too long.
   * @param bytes the memory that the call will use, if it is a large amount
   */
  beginLarge(bytes?: number): Promise<void>;
  /**
   * Reports progress from 0 to 1 and the current step, such as `page 2 of 7`. Undefined if the caller did not request
   * progress.
   */
  progress?(fraction: number, message?: string): void;
  /** Adds a warning to the response. REST returns it in `X-Tool-Warnings`. */
  warn(message: string): void;
  /** Charges model tokens to the caller's key. */
  spend(tokens: number): void;
}

export interface Example<P = Record<string, unknown>> {
  parameters?: P;
  files?: readonly string[];
  /** A JSON result that the page shows before the first call, unless the tool runs in its page. */
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
  /** The MCP domain, or null if MCP does not offer the tool. */
  domain: Domain | null;
  /**
   * A description for people and models. It states when to use the tool, what it returns, and the limits that matter.
   */
  description: string;
  /** The parameters without files. MCP refuses unknown names, and REST ignores them with a warning. */
  input: I;
  /**
   * Optional parameters that only the tool's page offers. The tool's in-browser.ts uses them, and they are not part of
   * the API.
   */
  pageInput?: z.ZodObject;
  /**
   * The schema of the JSON result. Omitted if the result is a file. A formatted text declares its `contentMediaType`
   * (JSON Schema).
   */
  output?: O;
  /** Loads the view that shows the JSON result on a page. Without it, the page uses the default view. */
  resultView?: () => Promise<{ resultView: ResultView<z.output<O>, z.output<I>> }>;
  /** The media types of a file result, for the API description. */
  produces?: readonly string[];
  /** A sentence that says when the result is JSON and when it is a file. Required if the tool can return both. */
  jsonOrFile?: string;
  /**
   * The parameter values for which a tool that has both `produces` and `output` returns a file. For all other values it
   * returns JSON.
   */
  fileWith?: Readonly<Record<string, string>>;
  /**
   * Whether MCP returns a small file in the result itself (api.md, MCP). For other tools, it always returns a link to a
   * stored file.
   */
  inline?: boolean;
  /** Whether the result contains text from pages or documents. MCP marks such text as data. */
  untrusted?: boolean;
  files?: FileInput;
  /** A realistic call for the code sample and for the initial values of the page's form. `files` are file names. */
  example?: Example<z.input<I>>;
  /** Whether visitors enter secrets, so that the page offers no link that contains the input. */
  isSecret?: boolean;
  /** Words that people use to search for the tool, besides the words of its title and document. */
  synonyms?: readonly string[];
  /** The form fields for the parameters on the tool's page. */
  form?: FormFields;
  access: 'anyone' | 'account' | { anonymousPerHour: number };
  limits: readonly Limit[];
  /**
   * Whether the tool calls a model whose tokens are charged to the key's monthly quota. Use a function if this depends
   * on the parameters.
   */
  spendsTokens?: boolean | ((parameters: z.output<I>) => boolean);
  /** Whether a call usually takes so long that the tool's page runs it as a job. */
  isLong?: boolean;
  surfaces: readonly ToolSurface[];
  annotations: Annotations;
  needs: readonly N[];
  /**
   * The kind of model that every call needs. If none is configured, a call is refused with 501 before it is counted or
   * queued.
   */
  model?: ModelKind;
  /**
   * Checks what the schema cannot check, before the call is counted or queued. Returns parsed values for `run`. Throws
   * a ToolError.
   */
  check?(parameters: z.output<I>): C;
  /** Runs further checks that depend on the service's configuration. Throws a ToolError. */
  checkWith?(parameters: z.output<I>, ports: Pick<Ports, N>, checked: C): void;
  /** Runs the tool. Omitted if the tool runs only in the browser, in which case it is listed but cannot be called. */
  run?(parameters: z.output<I>, context: Context<N>, checked: C): ToolOutput | Promise<ToolOutput>;
}

/** A tool without the type parameters of its definition, as the pipeline and the catalogue use it. */
export type Tool = Omit<
  ToolDefinition,
  'run' | 'check' | 'checkWith' | 'spendsTokens' | 'resultView'
> & {
  resultView?: () => Promise<{ resultView: ResultView<never, never> }>;
  spendsTokens?: boolean | ((parameters: never) => boolean);
  check?(parameters: never): unknown;
  checkWith?(parameters: never, ports: never, checked: never): void;
  run?(parameters: never, context: never, checked: never): ToolOutput | Promise<ToolOutput>;
};

/** Returns the parameter that takes stored files, or null if the tool takes none. */
export function linkNameOf({ files }: Tool): 'fileUrl' | 'fileUrls' | null {
  if (!files || files.uploadOnly) return null;
  return files.max > 1 ? 'fileUrls' : 'fileUrl';
}

/** Returns the name of the multipart part that contains a tool's files. */
export const partName = ({ max }: FileInput): 'file' | 'files' => (max > 1 ? 'files' : 'file');

/** Types a definition, so that `run` receives the declared parameters and ports. */
export function defineTool<
  I extends z.ZodObject,
  O extends z.ZodObject,
  N extends PortName = never,
  C = void,
>(definition: ToolDefinition<I, O, N, C>): ToolDefinition<I, O, N, C> {
  return definition;
}
