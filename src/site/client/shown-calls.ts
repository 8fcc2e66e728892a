/** Updates the code examples below a tool's form. The page loads this script on demand. */
import { type CallShape, callCode } from '../tool/call-code.ts';
import { showCode } from './parts/shown-code.ts';

/**
 * Shows the call with these parameters and files in `calls`. If no files are chosen, the call contains the files of the
 * example.
 */
export function showCalls(
  calls: HTMLElement,
  parameters: Record<string, unknown>,
  chosen: readonly string[],
): void {
  const names = chosen.length > 0 ? chosen : (JSON.parse(calls.dataset.files!) as string[]);
  const shape = JSON.parse(calls.dataset.call!) as CallShape;
  showCode(
    calls,
    callCode(shape, parameters, names).map(({ code }) => [code]),
  );
}
