/** Encodes a chain as a link. The link contains the steps and the entered values, but no files. */
import { linkNameOf } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { MAX_STEPS, STEP_ID } from '../../execute/chain-steps.ts';
import { findTool } from '../../tools/find-tool.ts';
import { isStepTool, newStep, type Step, uniqueId } from './steps.ts';

/** The maximum length of a chain's path, in characters. Some proxies and messaging apps reject longer links. */
const MAX_CHARACTERS = 6000;

/**
 * Returns the path that opens these steps, or null if it would be too long.
 *
 * @param template the name of the template whose texts the chain's page shows
 */
export function recipePath(steps: readonly Step[], template?: string): string | null {
  const rows = steps.map(({ tool, id, parameters }) => [
    tool.name,
    id,
    withoutFiles(tool, parameters),
  ]);
  const bytes = new TextEncoder().encode(JSON.stringify(rows));
  const recipe = bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
  const path = `/chains?recipe=${recipe}${template ? `&template=${template}` : ''}`;
  return path.length > MAX_CHARACTERS ? null : path;
}

function withoutFiles(tool: Step['tool'], parameters: Step['parameters']): Step['parameters'] {
  const name = linkNameOf(tool) ?? '';
  const { [name]: link, ...others } = parameters;
  // A reference to an earlier step is not a file, so it stays in the link.
  return String(link).includes('{{') ? parameters : others;
}

/** Returns the steps of a recipe. Throws 400 if the text is not a recipe. */
export function stepsOfRecipe(text: string): Step[] {
  const steps: Step[] = [];
  try {
    const rows: unknown[] = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(text, { alphabet: 'base64url' })),
    );
    for (const row of rows.slice(0, MAX_STEPS + 1)) {
      const [name, id, parameters] = row as [string, string, Step['parameters']];
      const tool = findTool(name);
      if (!tool || !isStepTool(tool) || !STEP_ID.test(id)) throw new TypeError();
      steps.push(newStep(tool, uniqueId(id, steps), { ...parameters }));
    }
  } catch {
    throw badRequest('This link contains no valid chain. Check that the link is complete.');
  }
  return steps;
}
