/** Defines the output of a tool, which is a JSON value or a file. Each surface presents it in its own format. */

export interface JsonOutput {
  kind: 'json';
  value: Record<string, unknown>;
  /** Additional response headers, such as X-Provider. */
  headers: Record<string, string> | undefined;
  /** The ID of a file that was stored only for this value. The file is deleted with the value. */
  stored?: string | undefined;
}

/** The properties of a file that a tool made, besides its name, type and size. */
export interface FileFacts {
  /** The number of pages of a PDF. */
  pages?: number | undefined;
  /** The width of an image or a video in pixels. */
  width?: number | undefined;
  height?: number | undefined;
  /** The length of a video in milliseconds. */
  durationMs?: number | undefined;
  /** The total size of the input files in bytes. */
  inputBytes?: number | undefined;
}

export interface FileOutput {
  kind: 'file';
  body: Uint8Array | ReadableStream<Uint8Array>;
  contentType: string;
  filename: string;
  /** The size in bytes, if known. It is always known for a Uint8Array. */
  size: number | undefined;
  /** Additional response headers, such as X-Input-Bytes. */
  headers: Record<string, string>;
  facts: FileFacts;
  /** The properties of each file in a ZIP, in order. */
  entries: readonly FileFacts[];
}

export type ToolOutput = JsonOutput | FileOutput;

export const json = (
  value: Record<string, unknown>,
  { headers, stored }: { headers?: Record<string, string>; stored?: string } = {},
): JsonOutput => ({ kind: 'json', value, headers, stored });

export const file = (
  body: Uint8Array | ReadableStream<Uint8Array>,
  contentType: string,
  filename: string,
  options: {
    size?: number | undefined;
    headers?: Record<string, string>;
    facts?: FileFacts;
    entries?: readonly FileFacts[] | undefined;
  } = {},
): FileOutput => ({
  kind: 'file',
  body,
  contentType,
  filename,
  size: body instanceof Uint8Array ? body.byteLength : options.size,
  headers: options.headers ?? {},
  facts: options.facts ?? {},
  entries: options.entries ?? [],
});
