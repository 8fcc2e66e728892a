/**
 * Provides access to the running service for the whole-system tests. global-setup starts it once, and tests call it
 * over HTTP.
 */
import { inject } from 'vitest';
import { accountKey } from './account-key.ts';
import { keyInside } from './service-image.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The service's address, `http://localhost:PORT`. */
    baseUrl: string;
    /** The ID of the service's main process, or of `docker run` if the image is tested. */
    servicePid: number;
    stateDir: string;
    /** The name of the service's container if the image is tested. The state is then inside the container. */
    container: string | null;
  }
}

export const baseUrl = inject('baseUrl');
export const servicePid = inject('servicePid');
export const stateDir = inject('stateDir');
export const container = inject('container');

export const serviceKey = async (): Promise<string> =>
  container ? keyInside(container) : accountKey(stateDir);

/** Sends one execute call as JSON. */
export function execute(
  tool: string,
  parameters?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${baseUrl}/api/v1/tools/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ tool, parameters }),
  });
}

type Part = [name: string, value: string | Blob, filename?: string];

/** Sends one execute call as multipart/form-data, with the parts in this order. */
export function executeForm(
  parts: Part[],
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  return fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body: form, headers });
}

// biome-ignore lint/suspicious/noExplicitAny: the tests read bodies of every shape
export async function body(response: Response): Promise<any> {
  return response.json();
}
