/**
 * Sends the sample call of each tool (`src/tools/NAME/sample.ts`) through every surface, with its
 * expected result.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tool } from '../../src/core/define-tool.ts';
import type { SampleFile } from '../content/sample-files.ts';

export interface Sample {
  /**
   * Defaults to the parameters of the definition's example. For a tool that runs in the browser:
   * the fields of its page by ID.
   */
  parameters?: Record<string, unknown>;
  /** Names of sample files (docs/content.md). */
  files?: readonly SampleFile[];
  /**
   * The result over REST and MCP: the media type of the file, or fields of the JSON, in which a
   * RegExp matches text. Absent for a tool that runs in the browser.
   */
  result?: string | Record<string, unknown>;
  /** The text of the result on the tool's page. */
  shows: string | RegExp;
  /**
   * The element of the page that shows the text. Defaults to the place where the results of all
   * tools appear.
   */
  at?: string;
}

/**
 * Returns the sample call of a tool with its parameters filled in. Throws an Error that names the
 * file to write.
 */
export async function sampleOf({ name, example }: Tool): Promise<Sample> {
  const path = `src/tools/${name}/sample.ts`;
  if (!existsSync(path))
    throw new Error(`${path} is missing: it exports the sample call of ${name}.`);
  const { sample } = (await import(pathToFileURL(resolve(path)).href)) as { sample: Sample };
  return { parameters: example?.parameters ?? {}, ...sample };
}
