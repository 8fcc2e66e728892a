/** Sends requests to the service for several pages. */
import { forPeople } from '../../../access/advice.ts';
import { ResponseError } from './error-text.ts';

/** An error as the service reports it. */
export interface Problem {
  error: string;
  /** The invalid parameter. */
  param?: string;
}

/** Returns the error in an unsuccessful response, worded for people. The response of a proxy has no such error. */
export async function problemIn(response: Response): Promise<Problem> {
  const problem: Partial<Problem> | null = await response.json().catch(() => null);
  return typeof problem?.error === 'string'
    ? { ...problem, error: forPeople(problem.error) }
    : { error: `The service returned status ${response.status}. Try again.` };
}

/** Returns the error in an unsuccessful response, to be thrown. */
export const errorIn = async (response: Response): Promise<ResponseError> =>
  new ResponseError((await problemIn(response)).error, response.status);

/** Returns the JSON body of a response. Throws a ResponseError if the status is an error. */
async function readJson<T>(response: Response): Promise<T> {
  if (!response.ok) throw await errorIn(response);
  return response.json();
}

export async function postJson<T>(path: string, value: unknown): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return readJson(await fetch(path, { method: 'POST', headers, body: JSON.stringify(value) }));
}

export interface StoredFile {
  url: string;
  fileId: string;
  deleteToken: string;
}

/** Stores a file for 7 days. */
export async function uploadFile(file: File, signal?: AbortSignal): Promise<StoredFile> {
  const body = callForm('upload_file', [file]);
  return readJson(await fetch('/chains/upload', { method: 'POST', body, signal }));
}

/** Stores a file for the steps of a chain, for 24 hours. */
export async function storeInput(file: File, signal?: AbortSignal): Promise<StoredFile> {
  const body = new FormData();
  body.set('file', file);
  return readJson(await fetch('/chains/inputs', { method: 'POST', body, signal }));
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
