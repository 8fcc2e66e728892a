/** The one definition of a tool, from which catalogue, checks, MCP, OpenAPI, pages and limits are derived. */
import type * as z from 'zod';
import type { Caller } from './caller.ts';
import type { InputFile } from './input-file.ts';
import type { Limit } from './limits.ts';
import type { ModelKind } from './models-port.ts';
import type { PortName, Ports } from './ports.ts';
import type { ResultView } from './result-view.ts';
import type { ToolOutput } from './tool-output.ts';

export const DOMAINS = ['documents', 'media', 'web', 'text', 'dev'] as const;
export type Domain = (typeof DOMAINS)[number];

/** What a tool is about, for people who look for one: the headings of the home page, in this order. */
export const KINDS = {
  pdf: 'PDF',
  media: 'Images and media',
  files: 'Files and links',
  web: 'Web',
  writing: 'Writing, with a model',
  text: 'Text and data',
  browser: 'In your browser only',
} as const;
export type ToolKind = keyof typeof KINDS;

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

/** How the tool's page shows a parameter, where its name and its type are not enough. */
export interface FormField {
  /** Default: the parameter's name as words. */
  label?: string;
  /** Lines of the text field. Default: 1. */
  rows?: number;
}

export interface Example<P = Record<string, unknown>> {
  parameters?: P;
  files?: readonly string[];
}

export interface ToolDefinition<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  N extends PortName = PortName,
> {
  /** As on the wire. */
  name: string;
  /** As on a page. */
  title: string;
  /** What the tool does, in at most three words: the button that runs it. */
  shortName: string;
  kind: ToolKind;
  /** The path of an SVG icon (its `d`), drawn as lines in a box of 24 by 24. */
  icon: string;
  /** The MCP domain; null where the tool is not offered over MCP. */
  domain: Domain | null;
  /** For people and models: when to use it, what it returns, the limits that matter. */
  description: string;
  /** Parameters without files; strict. */
  input: I;
  /** The JSON result; absent where the result is a file. A text that is not plain says its `contentMediaType` (JSON Schema). */
  output?: O;
  /** Shows the JSON result on a page, where the default view is not enough. Loaded only when a page needs it. */
  resultView?: () => Promise<{ resultView: ResultView<z.output<O>> }>;
  /** What a file result is, for the API description: media types. */
  produces?: readonly string[];
  /** Over MCP its file stands in the result itself while it is small (api.md, MCP); any other tool's is a stored link. */
  inline?: boolean;
  /** Whether its result contains text of pages or documents. Over MCP such text is marked as data. */
  untrusted?: boolean;
  files?: FileInput;
  /** A sensible call: shown as code, and put into the page's form. Of files the names. */
  example?: Example<z.input<I>>;
  form?: Partial<Record<string & keyof z.input<I>, FormField>>;
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
  /** What the schema does not judge of the parameters. Throws a ToolError, before the call is counted or queued. */
  check?(parameters: z.output<I>): void;
  /** Absent: listed, not executable (it runs in the browser). */
  run?(parameters: z.output<I>, context: Context<N>): ToolOutput | Promise<ToolOutput>;
}

/** A definition with its types forgotten, as the corridor and the catalogue handle it. */
export type Tool = Omit<ToolDefinition, 'run' | 'check' | 'spendsTokens' | 'resultView'> & {
  resultView?: () => Promise<{ resultView: ResultView<never> }>;
  spendsTokens?: boolean | ((parameters: never) => boolean);
  check?(parameters: never): void;
  run?(parameters: never, context: never): ToolOutput | Promise<ToolOutput>;
};

/** Checks a definition's types: parameters and ports inside `run` are those declared. */
export function defineTool<
  I extends z.ZodObject,
  O extends z.ZodObject,
  N extends PortName = never,
>(definition: ToolDefinition<I, O, N>): ToolDefinition<I, O, N> {
  return definition;
}
