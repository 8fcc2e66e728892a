/** Presents the files of a caller as MCP resources. The URI of a resource is the link to its file. */
import { ToolError } from '../../core/errors.ts';
import { jobOwner } from '../../core/jobs.ts';
import { MB } from '../../core/limits.ts';
import type { McpContext } from '../checked-call.ts';

/** The types that are returned as text. Files of all other types are returned as bytes. */
const TEXT = /^(text\/|application\/json\b)/;
const MAX_READ_BYTES = 1 * MB;

export interface Resource {
  uri: string;
  name: string;
  mimeType: string;
  size: number;
}

export type ResourceContents = { uri: string; mimeType: string } & (
  | { text: string }
  | { blob: string }
);

type Parts = Pick<McpContext, 'services' | 'admission'>;

/**
 * Lists the files that the caller's account or key has stored through this endpoint. Anonymous callers get an empty
 * list, because several of them may share an IP address.
 */
export async function listResources({ services, admission }: Parts): Promise<Resource[]> {
  const owner = jobOwner(admission.caller);
  if (owner === null) return [];
  const files = await services.agentFiles.list(owner, Date.now());
  return files.map(({ id, filename, contentType, size }) => ({
    uri: services.storage.linkTo(id, filename),
    name: filename,
    mimeType: contentType,
    size,
  }));
}

/**
 * Reads a file of the caller. Returns null if the file does not exist or belongs to another caller. If the file cannot
 * be read, returns a string that states the reason.
 */
export async function readResource(
  uri: unknown,
  { services, admission }: Parts,
): Promise<ResourceContents | string | null> {
  const { storage, agentFiles } = services;
  const id = typeof uri === 'string' ? storage.idOf(uri) : null;
  const owners = id === null ? [] : await agentFiles.owners(id);
  if (owners.length > 0 && !owners.includes(jobOwner(admission.caller) ?? '')) return null;
  const file = id === null ? null : await storage.openById(id, 'uri').catch(nullIfUnknown);
  if (typeof uri !== 'string' || !file) return null;
  if (file.size > MAX_READ_BYTES) {
    return 'The file is larger than 1 MB. Fetch its URL, or read its text with read_document.';
  }
  const bytes = await file.bytes();
  const mimeType = file.declaredType ?? 'application/octet-stream';
  return TEXT.test(mimeType)
    ? { uri, mimeType, text: new TextDecoder().decode(bytes) }
    : { uri, mimeType, blob: bytes.toBase64() };
}

/** Returns null for the error about an unknown file. Rethrows any other error. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof ToolError && error.status === 400) return null;
  throw error;
}
