/** Defines the ways to pass a file to a call. */
import { ToolFile } from './tool-file.ts';

type Bytes = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | ReadableStream<Uint8Array>;

/** Bytes with the file name that tools receive. Some tools, such as parse_document, use its extension. */
export interface NamedFile {
  filename: string;
  data: Bytes;
  contentType?: string;
}

/**
 * A file that a call sends or links to. A string or URL is a link to a file. A File has its own name. A stream is sent
 * while it is read.
 */
export type FileSource = string | URL | Bytes | NamedFile | ToolFile;

/** Returns the URL of a source that the service can fetch itself, or undefined if its bytes must be sent. */
export function linkOf(source: FileSource): string | undefined {
  if (typeof source === 'string' || source instanceof URL) return String(source);
  return source instanceof ToolFile ? source.url : undefined;
}

/** Returns the bytes of a source that is not a link, with the file's name and type. */
export async function namedFile(source: FileSource): Promise<Required<NamedFile>> {
  if (source instanceof ToolFile) {
    return { ...source, data: await source.stream() };
  }
  const isNamed = typeof source === 'object' && 'data' in source;
  const { data, ...given } = isNamed ? source : { data: source as Bytes };
  return {
    filename: data instanceof File ? data.name : 'file',
    contentType: data instanceof Blob ? data.type : '',
    ...given,
    data,
  };
}
