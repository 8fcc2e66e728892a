/** Where the bundled Worker is. */
import { resolve } from 'node:path';

/** The folder of the bundle: the one in the image, which cannot build one, or else that of the current sources. */
export async function bundleFolder(): Promise<string> {
  const inImage = process.env.TOOLS_BUNDLE;
  if (inImage) return resolve(inImage);
  const { build } = await import('./build.ts');
  return build();
}
