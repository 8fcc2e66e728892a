/** What a tool gives back: a JSON value or a file. Each door presents it in its own way. */

export interface JsonOutput {
  kind: 'json';
  value: Record<string, unknown>;
  /** Further answer headers, such as X-Provider. */
  headers: Record<string, string> | undefined;
  /** Id of the file that was stored for this value alone, and goes where it is removed. */
  stored?: string | undefined;
}

export interface FileOutput {
  kind: 'file';
  body: Uint8Array | ReadableStream<Uint8Array>;
  contentType: string;
  filename: string;
  /** Bytes, where known: always for a Uint8Array. */
  size: number | undefined;
  /** Further answer headers, such as X-Input-Bytes. */
  headers: Record<string, string>;
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
  options: { size?: number; headers?: Record<string, string> } = {},
): FileOutput => ({
  kind: 'file',
  body,
  contentType,
  filename,
  size: body instanceof Uint8Array ? body.byteLength : options.size,
  headers: options.headers ?? {},
});
