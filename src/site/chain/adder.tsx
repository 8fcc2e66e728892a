/** Renders the tools that can be added to a chain, as buttons. The page's script filters them by what visitors type. */
import { mostUsed, toolsByKind } from '../../catalogue/kinds.ts';
import type { Tool } from '../../core/define-tool.ts';
import { MAX_STEPS } from '../../execute/chain-steps.ts';
import { TOOLS } from '../../tools/registry.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';
import { fitsAfter } from './fits-after.ts';
import { misfitOf } from './misfit.ts';
import { isStepTool, isUpload, newStep, type Step } from './steps.ts';

interface AdderProps {
  steps: readonly Step[];
  /** The names of the tools that are switched off on this server. */
  off: ReadonlySet<string>;
}

export function Adder({ steps, off }: AdderProps) {
  const title = steps.length === 0 ? 'Choose the first step' : 'Add a step';
  if (steps.filter((step) => !isUpload(step)).length >= MAX_STEPS)
    return <p class="soft">A chain has at most {MAX_STEPS} steps.</p>;
  const [likely, ...others] = groups(steps, off);
  return (
    <section class="card adder stack" aria-labelledby="adder">
      <div class="adder-head">
        <h2 id="adder">{title}</h2>
        <div class="field" data-js hidden>
          <label for="add" class="hidden">
            Find a tool
          </label>
          <input id="add" type="search" autocomplete="off" placeholder="Find a tool: resize…" />
        </div>
        {steps.length > 1 && <Position steps={steps} />}
      </div>
      <p class="hidden" role="status" id="add-status" />
      <div id="add-found" class="stack tight" hidden />
      <div id="add-groups" class="stack">
        {likely && <Group label={likely[0]} tools={likely[1]} off={off} />}
        {others.length > 0 && (
          <details>
            <summary>All other tools</summary>
            <div class="stack">
              {others.map(([label, tools]) => (
                <Group label={label} tools={tools} off={off} />
              ))}
            </div>
          </details>
        )}
      </div>
    </section>
  );
}

const Position = ({ steps }: Pick<AdderProps, 'steps'>) => (
  <div class="field">
    <label for="at" class="hidden">
      Position
    </label>
    <select id="at" name="at">
      <option value="">At the end</option>
      {steps.map(
        (step, index) => !isUpload(step) && <option value={index}>Before step {index + 1}</option>,
      )}
    </select>
  </div>
);

interface GroupProps extends Pick<AdderProps, 'off'> {
  label: string;
  tools: readonly Tool[];
}

const Group = ({ label, tools, off }: GroupProps) => (
  <div class="stack tight">
    <h3 class="label">{label}</h3>
    <ul class="tool-buttons">
      {tools.map((tool) => (
        <li>
          <button type="submit" name="do" value={`add ${tool.name}`} disabled={off.has(tool.name)}>
            <ToolIcon tool={tool} />
            <span>
              {tool.title}
              {off.has(tool.name) && ' (off on this server)'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  </div>
);

/**
 * Returns the tools in groups: first the tools that fit the last step, then others by kind, then the tools that cannot
 * use the last result, and at the end the tools that are switched off. In an empty chain, the first group contains the
 * tools that are used most.
 */
function groups(steps: readonly Step[], off: ReadonlySet<string>): [string, Tool[]][] {
  const last = steps.at(-1);
  const isOff = ({ name }: Tool) => off.has(name);
  const isLikely = (tool: Tool) => (last ? fitsAfter(last, tool) : mostUsed().includes(tool));
  const isMisfit = (tool: Tool) =>
    last !== undefined &&
    misfitOf([...steps, newStep(tool, tool.name)], steps.length) !== undefined;
  const tools = TOOLS.filter((tool) => isStepTool(tool) && !isOff(tool));
  const kinds = toolsByKind().map(([label, ofKind]): [string, Tool[]] => [
    label,
    ofKind.filter((tool) => tools.includes(tool) && !isLikely(tool) && !isMisfit(tool)),
  ]);
  const all: [string, Tool[]][] = [
    [last ? `Fits after step ${steps.length}` : 'Most used', mostUsedFirst(tools.filter(isLikely))],
    ...kinds,
    [`Does not fit after step ${steps.length}`, tools.filter(isMisfit)],
    ['Off on this server', TOOLS.filter((tool) => isStepTool(tool) && isOff(tool))],
  ];
  return all.filter(([, { length }]) => length > 0);
}

/** Sorts the tools: first those used most, then the others by kind. */
const mostUsedFirst = (tools: readonly Tool[]): Tool[] => {
  const order = [...mostUsed(), ...toolsByKind().flatMap(([, ofKind]) => ofKind)];
  return tools.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
};
