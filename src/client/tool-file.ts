/** Represents a file that a tool produced. */
import type { Connection } from './connection.ts';
import { filenameIn } from './filename-in.ts';
import { saveTo } from './save.ts';
import type { FileLink } from './shared-types.gen.ts';
import { ToolsError } from './tools-error.ts';

type Open = () => Promise<ReadableStream<Uint8Array>>;

// The optional properties of a file (pages, width, …) are fields of the class.
export interface ToolFile extends Partial<FileLink> {
  filename: string;
  contentType: string;
}

/** A file in a response can be read once. A file with a `url` can be read any number of times until `expiresAt`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor sets the declared fields
export class ToolFile {
  readonly #open: Open;

  constructor(facts: Pick<FileLink, 'filename' | 'contentType'> & Partial<FileLink>, open: Open) {
    this.#open = open;
    Object.assign(this, facts);
  }

  stream(): Promise<ReadableStream<Uint8Array>> {
    return this.#open();
  }

  async blob(): Promise<Blob> {
    const headers = { 'Content-Type': this.contentType };
    const response = new Response(await this.stream(), { headers });
    return response.blob().catch(rethrow);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const response = new Response(await this.stream());
    return new Uint8Array(await response.arrayBuffer().catch(rethrow));
  }

  /** Writes the file to a path (Node, Deno and Bun) or to a stream, which it then closes. */
  async save(target: string | WritableStream<Uint8Array>): Promise<void> {
    const stream = await this.stream();
    const saved = typeof target === 'string' ? saveTo(target, stream) : stream.pipeTo(target);
    await saved.catch(rethrow);
  }
}

/** Replaces the TypeError that fetch throws when the connection drops during a download. */
function rethrow(cause: unknown): never {
  if (!(cause instanceof TypeError)) throw cause;
  const message = 'The connection was lost before the end of the file. Repeat the call.';
  throw new ToolsError(message, { code: 'unreachable', status: 0, cause });
}

/** Reads a response as JSON or as a file. */
export const resultReader = (connection: Connection) => async (response: Response) => {
  const { headers } = response;
  const contentType = headers.get('Content-Type') ?? '';
  if (contentType.startsWith('application/json')) {
    return withFiles(await response.json(), connection);
  }
  const filename = filenameIn(headers);
  // The service names every file. Anything else, such as a sign-in page, comes from another server or from a proxy.
  if (filename === undefined) {
    await response.body?.cancel();
    const message = `${response.url} returned no result of a tool. Check the URL of the service.`;
    throw new ToolsError(message, { code: 'unreachable', status: response.status });
  }
  const size = Number(headers.get('Content-Length')) || undefined;
  const facts: Partial<FileLink> = JSON.parse(headers.get('X-File-Facts') ?? '{}');
  return new ToolFile({ ...facts, filename, contentType, size }, async () => {
    if (!response.body || response.bodyUsed)
      throw new TypeError(
        'The contents of this file were already read. Repeat the call to read them again.',
      );
    return response.body;
  });
};

/** Replaces a link to a stored file with a ToolFile that has all its fields. Returns any other value unchanged. */
export function withFiles(value: unknown, connection: Connection): unknown {
  const isFile = (link: unknown): link is FileLink =>
    typeof link === 'object' &&
    link !== null &&
    ['url', 'filename', 'contentType', 'size'].every((name) => name in link);
  if (!isFile(value)) return value;
  const open = () => connection.send(value.url, { method: 'GET' }, ({ body }) => body!);
  return new ToolFile(value, open);
}
