/** Builds the body of a call as JSON, or as a form if the call contains files. */
import { chunksOf } from './chunks.ts';
import type { OutgoingRequest } from './connection.ts';
import { type FileSource, linkOf, type NamedFile, namedFile } from './file-source.ts';
import { randomKey } from './random-key.ts';

type Encoded = Pick<OutgoingRequest, 'headers' | 'body' | 'isStream'>;
type Part = [name: string, value: string | Required<NamedFile>];

export function jsonBody(value: unknown): Encoded {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

/** Encodes the parameters of a tool. Links are sent as `fileUrl` or `fileUrls`. */
export async function callBody(parameters: Record<string, unknown>): Promise<Encoded> {
  const { file, files, ...others } = parameters as { file?: FileSource; files?: FileSource[] };
  const sources = files ?? (file === undefined ? [] : [file]);
  const links = sources.map(linkOf).filter((link) => link !== undefined);
  if (links.length === sources.length) {
    const given = files ? { fileUrls: links } : file === undefined ? {} : { fileUrl: links[0] };
    return jsonBody({ ...others, ...given });
  }
  if (links.length > 0) throw new TypeError('Send either links or files. A call cannot mix them.');
  const fields = Object.entries(others)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]): Part => [name, typeof value === 'string' ? value : JSON.stringify(value)],
    );
  const name = files ? 'files' : 'file';
  const sent = await Promise.all(
    sources.map(async (source): Promise<Part> => [name, await namedFile(source)]),
  );
  return formBody([...fields, ...sent]);
}

async function formBody(parts: readonly Part[]): Promise<Encoded> {
  const hasStream = parts.some(
    ([, value]) => typeof value !== 'string' && value.data instanceof ReadableStream,
  );
  // Some browsers send streams only over HTTP/2, and others cannot send them at all. Forms are therefore buffered in
  // browsers.
  if (hasStream && !('document' in globalThis)) return streamedForm(parts);
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, await blobOf(value), value.filename);
  }
  return { body: form };
}

async function blobOf({ data, contentType: type }: Required<NamedFile>): Promise<Blob> {
  if (data instanceof Blob && data.type === type) return data;
  return new Blob([data instanceof ReadableStream ? await new Response(data).blob() : data], {
    type,
  });
}

/** Streams multipart/form-data (RFC 7578), reading the files as the body is sent. */
function streamedForm(parts: readonly Part[]): Encoded {
  const boundary = `form-${randomKey()}`;
  const chunks = formChunks(parts, boundary);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return();
    },
  });
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return { body, headers, isStream: true };
}

async function* formChunks(
  parts: readonly Part[],
  boundary: string,
): AsyncGenerator<Uint8Array, void, void> {
  const utf8 = new TextEncoder();
  for (const [name, value] of parts) {
    const begin = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    if (typeof value === 'string') {
      yield utf8.encode(`${begin}\r\n\r\n${value}\r\n`);
      continue;
    }
    const filename = value.filename.replace(/["\r\n]/g, encodeURIComponent);
    const type = value.contentType && `\r\nContent-Type: ${value.contentType}`;
    yield utf8.encode(`${begin}; filename="${filename}"${type}\r\n\r\n`);
    yield* chunksOf(new Response(value.data).body!);
    yield utf8.encode('\r\n');
  }
  yield utf8.encode(`--${boundary}--\r\n`);
}
