/** Finds steps that cannot use the previous result, and the change that fixes each. */
import { linkNameOf } from '../../core/define-tool.ts';
import { fieldsOf } from '../tool/fields.ts';
import { fileNoun } from '../tool/file-noun.ts';
import { filledFrom, givenBy } from './data-flow.ts';
import { producedBy, takesFileOf, zipFieldOf } from './fits-after.ts';
import { isUpload, type Step, withFirstLine, withValue } from './steps.ts';

/** A button that fixes a step. */
export interface Fix {
  /** The value of the button, which `changeSteps` takes. */
  action: string;
  label: string;
}

export interface Misfit {
  text: string;
  fix: Fix;
}

/** Returns the reason why the step at `index` cannot run on the previous result, or undefined if it can. */
export function misfitOf(steps: readonly Step[], index: number): Misfit | undefined {
  const text = reasonOf(steps, index);
  return text === undefined ? undefined : { text, fix: fixOf(steps, index) };
}

function reasonOf(steps: readonly Step[], index: number): string | undefined {
  const { tool, parameters } = steps[index]!;
  const before = steps[index - 1];
  const link = linkNameOf(tool);
  if (!link || isUpload(steps[index]) || Object.hasOwn(parameters, link)) return undefined;
  if (filledFrom(steps, index, link) === null)
    return tool.files!.min > 0 ? noFileText(steps, index) : undefined;
  if (!before || isUpload(before) || takesFileOf(producedBy(before), tool)) return undefined;
  const list = zipFieldOf(before);
  if (list && takesFileOf(before.tool.produces, tool))
    return `Step ${index} creates a ZIP of several files, which this step cannot read. Keep only one line in "${list.label}" of step ${index}.`;
  return `This step takes ${fileNoun(tool.files!, true)}, but step ${index} creates ${createdBy(before)}.`;
}

const createdBy = ({ tool: { produces = [] } }: Step): string =>
  produces[0]?.startsWith('image/')
    ? 'an image'
    : produces[0]?.endsWith('/pdf')
      ? 'a PDF'
      : 'a ZIP';

/** @param index the index of the step that lacks a file. The messages count steps from 1. */
export function noFileText(steps: readonly Step[], index: number): string {
  const min = steps[index]!.tool.files?.min ?? 0;
  if (index === 0) return 'This step needs a file.';
  const before = steps[index - 1]!;
  if (!before.tool.produces && givenBy(before).includes('dataUrl'))
    return `This step needs a file, but step ${index} creates an image as text (a data URL).`;
  return min > 1
    ? `This step needs at least ${min} files, which step ${index} does not create.`
    : `This step needs a file, but step ${index} does not create one.`;
}

function fixOf(steps: readonly Step[], index: number): Fix {
  return (
    upload(index) ??
    oneLine(steps, index) ??
    setting(steps, index) ??
    move(steps, index) ?? { action: `remove ${index}`, label: `Remove step ${index + 1}` }
  );
}

const upload = (index: number): Fix | undefined =>
  index === 0 ? { action: 'upload', label: 'Choose a file in the first step' } : undefined;

/** Returns the change that leaves only the first line of the list that makes the previous result a ZIP. */
function oneLine(steps: readonly Step[], index: number): Fix | undefined {
  const before = steps[index - 1]!;
  const list = zipFieldOf(before);
  if (!list) return undefined;
  const changed = steps.with(index - 1, withFirstLine(before, list.name));
  if (reasonOf(changed, index) !== undefined) return undefined;
  return {
    action: `first ${index - 1} ${list.name}`,
    label: `Keep only the first line in "${list.label}" of step ${index}`,
  };
}

/** Returns the option with which the previous step would create a file that this step accepts. */
function setting(steps: readonly Step[], index: number): Fix | undefined {
  const { tool } = steps[index - 1]!;
  const [name, value] = Object.entries(tool.fileWith ?? {})[0] ?? [];
  if (name === undefined || value === undefined) return undefined;
  const changed = steps.with(index - 1, withValue(steps[index - 1]!, name, value));
  if (reasonOf(changed, index) !== undefined) return undefined;
  const field = fieldsOf(tool).find((one) => one.name === name)!;
  const choice = field.choices.find(([one]) => one === value)?.[1] ?? value;
  return {
    action: `set ${index - 1} ${name} ${value}`,
    label: `Set "${field.label}" of step ${index} to "${choice}"`,
  };
}

/** Returns the change that moves the step to the nearest position at which it and all others fit. */
function move(steps: readonly Step[], index: number): Fix | undefined {
  const first = isUpload(steps[0]) ? 1 : 0;
  const positions = steps
    .map((_, position) => position)
    .filter((position) => position >= first && position !== index)
    .sort((left, right) => Math.abs(left - index) - Math.abs(right - index));
  const to = positions.find((position) => {
    const moved = steps.toSpliced(index, 1).toSpliced(position, 0, steps[index]!);
    return moved.every((_, at) => reasonOf(moved, at) === undefined);
  });
  if (to === undefined) return undefined;
  return { action: `move ${index} ${to}`, label: `Make it step ${to + 1}` };
}
