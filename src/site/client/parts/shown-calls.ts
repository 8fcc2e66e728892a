/** Updates the code examples below the form. Tools without an API have no code examples. */
import { type CallShape, callCode } from '../../tool/call-code.ts';
import { showCode } from './shown-code.ts';

const calls = document.getElementById('calls');

/**
 * Shows the call with these parameters and files. If no files are chosen, the call contains the files of the example.
 */
export function showCalls(parameters: Record<string, unknown>, chosen: readonly string[]): void {
  if (!calls) return;
  const names = chosen.length > 0 ? chosen : (JSON.parse(calls.dataset.files!) as string[]);
  const shape = JSON.parse(calls.dataset.call!) as CallShape;
  showCode(
    calls,
    callCode(shape, parameters, names).map(({ code }) => [code]),
  );
}
