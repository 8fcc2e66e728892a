/** Renders the fields that add a step to a chain. */
import { toolsByKind } from '../../catalogue/kinds.ts';
import type { Tool } from '../../core/define-tool.ts';
import { MOST_STEPS } from '../../execute/chain-steps.ts';
import { TOOLS } from '../../tools/registry.ts';
import { fitsAfter } from './fits-after.ts';
import { misfitOf } from './misfit.ts';
import { isStepTool, isUpload, newStep, type Step } from './steps.ts';

interface AdderProps {
  steps: readonly Step[];
  /** The names of the tools that are switched off on this server. */
  off: ReadonlySet<string>;
}

export function Adder({ steps, off }: AdderProps) {
  const isFull = steps.filter((step) => !isUpload(step)).length >= MOST_STEPS;
  return (
    <div class="card adder">
      <div class="field">
        <label for="add">Add a step</label>
        <select id="add" name="add" disabled={isFull}>
          {groups(steps, off).map(([label, tools]) => (
            <optgroup label={label}>
              {tools.map(({ name, title }) => (
                <option value={name} disabled={off.has(name)}>
                  {title}
                  {off.has(name) && ' (off on this server)'}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        {isFull && <span class="hint">A chain has at most {MOST_STEPS} steps.</span>}
      </div>
      {steps.length > 1 && (
        <div class="field">
          <label for="at">Position</label>
          <select id="at" name="at" disabled={isFull}>
            <option value="">At the end</option>
            {steps.map(
              (step, index) =>
                !isUpload(step) && <option value={index}>Before step {index + 1}</option>,
            )}
          </select>
        </div>
      )}
      <button type="submit" name="do" value="add" disabled={isFull}>
        Add
      </button>
    </div>
  );
}

/**
 * Returns the tools in groups: first the tools that fit the last step, then others by kind, and at the end the tools
 * that cannot use the last result.
 */
function groups(steps: readonly Step[], off: ReadonlySet<string>): [string, Tool[]][] {
  const last = steps.at(-1);
  const fits = (tool: Tool) => last !== undefined && !off.has(tool.name) && fitsAfter(last, tool);
  const isMisfit = (tool: Tool) =>
    last !== undefined &&
    misfitOf([...steps, newStep(tool, tool.name)], steps.length) !== undefined;
  const tools = TOOLS.filter(isStepTool);
  const kinds = toolsByKind().map(([label, ofKind]): [string, Tool[]] => [
    label,
    ofKind.filter((tool) => isStepTool(tool) && !fits(tool) && !isMisfit(tool)),
  ]);
  const all: [string, Tool[]][] = [
    [`Fits after step ${steps.length}`, tools.filter(fits)],
    ...kinds,
    [`Do not fit after step ${steps.length}`, tools.filter(isMisfit)],
  ];
  return all.filter(([, { length }]) => length > 0);
}
