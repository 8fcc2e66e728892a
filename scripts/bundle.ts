/** Locates the bundled Worker. */
import { resolve } from 'node:path';

/**
 * Returns the folder of the bundle: the prebuilt one in the image, otherwise the one built from the current sources.
 */
export async function bundleFolder(): Promise<string> {
  const inImage = process.env.TOOLS_BUNDLE;
  if (inImage) return resolve(inImage);
  const { build } = await import('./build.ts');
  return build();
}
