/** Locates the bundled Worker. */
import { resolve } from 'node:path';

/**
 * Returns the folder of the bundle. The image contains a prebuilt bundle. Outside the image, the bundle is built from
 * the current sources.
 */
export async function bundleFolder(): Promise<string> {
  const inImage = process.env.TOOLS_BUNDLE;
  if (inImage) return resolve(inImage);
  const { build } = await import('./build.ts');
  return build();
}
