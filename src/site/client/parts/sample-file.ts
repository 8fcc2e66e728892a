/** Draws a sample file. The script that draws is loaded with the first one. */

/** `element` names the script in `data-samples`. `name` decides what the file shows. */
export async function sampleFile(element: HTMLElement, name: string, index: number): Promise<File> {
  const samples: typeof import('../sample-files.ts') = await import(element.dataset.samples!);
  return samples.sampleFile(name, index);
}
