/** Sends the service requests that several pages need. */
import { forPeople } from '../../../access/advice.ts';
import { ResponseError } from './error-text.ts';

/**
 * Returns the JSON body of a response. Throws a ResponseError with the service's message, worded for people, if the
 * status is an error.
 */
export async function answerOf<T>(response: Response): Promise<T> {
  const answer = await response.json();
  if (!response.ok) throw new ResponseError(forPeople(answer.error), response.status);
  return answer;
}

export async function postJson<T>(path: string, value: unknown): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return answerOf(await fetch(path, { method: 'POST', headers, body: JSON.stringify(value) }));
}

export interface StoredFile {
  url: string;
  fileId: string;
  deleteToken: string;
}

/** Stores a file for 7 days. */
export async function uploadFile(file: File, signal?: AbortSignal): Promise<StoredFile> {
  const body = callForm('upload_file', [file]);
  return answerOf(await fetch('/chains/upload', { method: 'POST', body, signal }));
}

/** Stores a file for the steps of a chain, for 24 hours. */
export async function storeInput(file: File, signal?: AbortSignal): Promise<StoredFile> {
  const body = new FormData();
  body.set('file', file);
  return answerOf(await fetch('/chains/inputs', { method: 'POST', body, signal }));
}

/** Deletes a stored file. Returns whether that succeeded. */
export async function deleteFile({
  url,
  deleteToken,
}: Pick<StoredFile, 'url' | 'deleteToken'>): Promise<boolean> {
  const headers = { 'X-Delete-Token': deleteToken };
  // `keepalive` lets the request complete even if the visitor leaves the page.
  const request = fetch(url, { method: 'DELETE', headers, keepalive: true });
  const { ok } = await request.catch(() => ({ ok: false }));
  return ok;
}

/** Returns the multipart/form-data body of a call with files. */
export function callForm(tool: string, files: readonly File[], parameters: object = {}): FormData {
  const body = new FormData();
  body.set('tool', tool);
  body.set('parameters', JSON.stringify(parameters));
  for (const file of files) body.append('files', file);
  return body;
}
