/** Draws sample files. The drawing script is loaded when the first file is needed. */

/**
 * @param element the element whose `data-samples` attribute contains the path of the script
 * @param name determines what the file shows
 */
export async function sampleFile(element: HTMLElement, name: string, index: number): Promise<File> {
  const samples: typeof import('../sample-files.ts') = await import(element.dataset.samples!);
  return samples.sampleFile(name, index);
}
