/**
 * Loads the sample call of each tool (`src/tools/NAME/sample.ts`) and its expected result. Tests make the call through
 * every surface.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tool } from '../../src/core/define-tool.ts';
import type { SampleFile } from '../content/sample-files.ts';

export interface Sample {
  /**
   * The parameters of the call. They default to the parameters of the definition's example. For a tool that runs in the
   * browser, these are the values of its page's fields, by element ID.
   */
  parameters?: Record<string, unknown>;
  /** The names of sample files (docs/content.md). */
  files?: readonly SampleFile[];
  /**
   * The expected result over REST and MCP. A string is the media type of a file. An object contains fields of a JSON
   * result, in which a RegExp matches a string. Undefined for a tool that runs in the browser.
   */
  result?: string | Record<string, unknown>;
  /** The expected text on the tool's page. */
  shows: string | RegExp;
  /**
   * The selector of the element that contains the text. The default is the element that shows the result on most tools'
   * pages.
   */
  at?: string;
}

/** Returns the sample call of a tool, including its parameters. Throws an Error with the path of the missing file. */
export async function sampleOf({ name, example }: Tool): Promise<Sample> {
  const path = `src/tools/${name}/sample.ts`;
  if (!existsSync(path))
    throw new Error(`${path} is missing: it exports the sample call of ${name}.`);
  const { sample } = (await import(pathToFileURL(resolve(path)).href)) as { sample: Sample };
  return { parameters: example?.parameters ?? {}, ...sample };
}
