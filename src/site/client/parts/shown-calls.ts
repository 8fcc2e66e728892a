/** The calls from code below the form, which a tool without an API does not have. */
import { type CallShape, callCode } from '../../tool/call-code.ts';

const calls = document.getElementById('calls');

/** Shows the call with these parameters. `chosen`: the names of the files; those of the example if there are none. */
export function showCalls(parameters: Record<string, unknown>, chosen: readonly string[]): void {
  if (!calls) return;
  const names = chosen.length > 0 ? chosen : (JSON.parse(calls.dataset.files!) as string[]);
  const shape = JSON.parse(calls.dataset.call!) as CallShape;
  const positions = calls.querySelectorAll('code');
  for (const [index, { code }] of callCode(shape, parameters, names).entries())
    positions[index]!.textContent = code;
}
