/** Rotates pages of a PDF in a worker. The worker's script is loaded on the first call. */

/** The clockwise rotations in degrees, by page number from 1. */
export type Rotations = ReadonlyMap<number, number>;

export interface RotateJob {
  file: Blob;
  rotations: Rotations;
  /** The number of pages that the visitor sees, used to check that the worker reads the same document. */
  total: number;
}

export type RotateAnswer = { bytes: Uint8Array<ArrayBuffer> } | { error: string };

let thread: Worker | undefined;

/**
 * Returns the file with its pages rotated. Throws an error with a message for the visitor if the PDF cannot be rotated,
 * for example because it is signed.
 */
export async function rotatedFile(
  script: string,
  file: File,
  rotations: Rotations,
  total: number,
): Promise<File> {
  thread ??= new Worker(script, { type: 'module' });
  const worker = thread;
  const { port1, port2 } = new MessageChannel();
  const answer = await new Promise<RotateAnswer>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<RotateAnswer>) => resolve(data);
    worker.onerror = () => {
      thread = undefined;
      resolve({ error: 'The JavaScript of this page could not be loaded. Reload the page.' });
    };
    worker.postMessage({ file, rotations, total } satisfies RotateJob, [port2]);
  });
  if ('error' in answer) throw new Error(answer.error);
  const name = `${file.name.replace(/\.pdf$/i, '')}-rotated.pdf`;
  return new File([answer.bytes], name, { type: 'application/pdf' });
}
