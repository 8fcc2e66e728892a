/** Uploads the files of a chain, runs it, and deletes the files. A chain with a long step runs as a job. */
import type { JobState } from '../../tool/progress-text.ts';
import { deleteFile, errorIn, type StoredFile, storeInput, uploadFile } from './api.ts';
import { find } from './elements.ts';
import { withJob } from './run-job.ts';
import { parseHtml } from './text-file.ts';

/** The files that the service stores for the current runs. */
const stored = new Set<StoredFile>();

// The visitor may leave the page while the chain is running.
addEventListener('pagehide', () => stored.forEach(deleteFile));

/** Returns the headers with the quota of the call that started a job, because later requests do not report it. */
const quotaIn = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => /^ratelimit(-policy)?$/.test(name)));

/** Posts the form of the chain page with a button's value. */
export function send(
  body: FormData,
  action: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  body.set('do', action);
  return fetch('/chains', { method: 'POST', body, signal, headers });
}

/** Returns the chain page in a response. An error of the chain is on the page, and any other error is thrown. */
export async function readPage(response: Response): Promise<Document> {
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) throw await errorIn(response);
  return parseHtml(await response.text());
}

/** Returns the form field that contains the links to the uploaded files. */
export const linksField = (form: HTMLFormElement) =>
  find<HTMLInputElement>(form, '[name$="-links"]');

/**
 * Runs the chain of `form` on these files, and returns the value that `read` extracts from the resulting page. The
 * files are deleted afterwards unless a later step uses their links. `onProgress` receives the progress of a long
 * chain.
 */
export async function runChain<T>(
  form: HTMLFormElement,
  files: readonly File[],
  signal: AbortSignal,
  onProgress: (state: JobState) => void,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { long, linked } = form.dataset;
  const areStored = form.querySelector('[data-stored]') !== null;
  const uploaded: StoredFile[] = [];
  try {
    for (const file of files) {
      const upload = await (areStored ? uploadFile : storeInput)(file, signal);
      uploaded.push(upload);
      stored.add(upload);
    }
    const body = new FormData(form);
    if (uploaded.length > 0) {
      body.set('temporary', '');
      body.set(linksField(form).name, uploaded.map(({ url }) => url).join('\n'));
    }
    const ran = await send(
      body,
      'run',
      signal,
      long === undefined ? {} : { Prefer: 'respond-async' },
    );
    const result =
      ran.status === 202
        ? await withJob(
            ran,
            signal,
            onProgress,
            async (id) => read(await send(body, `result ${id}`, signal, quotaIn(ran.headers))),
            linked !== undefined,
          )
        : await read(ran);
    // The files are not deleted, because a later step uses their links.
    if (areStored) for (const upload of uploaded.splice(0)) stored.delete(upload);
    return result;
  } finally {
    for (const upload of uploaded) {
      stored.delete(upload);
      deleteFile(upload);
    }
  }
}
