/** Changes the steps of a chain when a button on the chain page is pressed. */
import type { Tool } from '../../core/define-tool.ts';
import { MAX_STEPS } from '../../execute/chain-steps.ts';
import { findTool } from '../../tools/find-tool.ts';
import { fieldsOf } from '../tool/fields.ts';
import { valueIn } from '../tool/value-in.ts';
import {
  isStepTool,
  isUpload,
  newStep,
  type Step,
  UPLOAD,
  uniqueId,
  withFirstLine,
  withoutUploads,
  withValue,
} from './steps.ts';

interface Change {
  steps: Step[];
  /** The text that screen readers read out after the change. */
  announcement: string;
}

/**
 * Returns the steps after a button was pressed.
 * @param what the button's value: `add merge_pdf`, `upload` (adds the upload), `clear` (removes uploaded files), `up
 * 2`, `down 2`, `remove 2`, `move 2 0`, `set 2 format jpeg` or `first 1 ranges` (leaves only the first line); any other
 * value changes nothing
 * @param position the index of the step before which a tool is added. If empty, the tool is added at the end.
 */
export function changeSteps(steps: readonly Step[], what: string, position = ''): Change {
  const [verb = '', first, second, third] = what.split(' ');
  const from = Number(first);
  const title = steps[from]?.tool.title;
  switch (verb) {
    case 'add':
      return add(steps, first ?? '', position);
    case 'clear':
      return {
        steps: withoutUploads(steps),
        announcement: 'The files were removed.',
      };
    case 'upload':
      return add(steps, UPLOAD, '');
    case 'set':
      return set(steps, from, second, third);
    case 'first':
      return leaveFirst(steps, from, second);
    case 'remove':
      if (title === undefined) break;
      return { steps: steps.toSpliced(from, 1), announcement: `${title} was removed.` };
    case 'up':
      return move(steps, from, from - 1);
    case 'down':
      return move(steps, from, from + 1);
    case 'move':
      return move(steps, from, Number(second));
  }
  return { steps: [...steps], announcement: '' };
}

function add(steps: readonly Step[], name: string, position: string): Change {
  const tool = findTool(name);
  const hasUpload = isUpload(steps[0]);
  const isFull = steps.length - (hasUpload ? 1 : 0) >= MAX_STEPS;
  if (!tool || !isStepTool(tool) || isFull) return { steps: [...steps], announcement: '' };
  if (tool.name === UPLOAD) {
    if (hasUpload) return { steps: [...steps], announcement: 'The upload is already step 1.' };
    return { steps: [uploadStep(steps), ...steps], announcement: 'The upload is step 1.' };
  }
  // If the first tool takes files, an upload step precedes it.
  const before = steps.length === 0 && tool.files ? [uploadStep(steps)] : steps;
  const example = before.length === 0 ? tool.example?.parameters : undefined;
  const parameters = { ...initialParameters(tool), ...example };
  const isInside = /^\d{1,2}$/.test(position) && !isUpload(before[Number(position)]);
  const index = isInside ? Math.min(Number(position), before.length) : before.length;
  return {
    steps: before.toSpliced(index, 0, newStep(tool, uniqueId(tool.name, before), parameters)),
    announcement: `${tool.title} is step ${index + 1}.`,
  };
}

/** Returns the parameters that the form of the tool's page sends before the visitor changes a value. */
function initialParameters(tool: Tool): Record<string, unknown> {
  const entries = fieldsOf(tool)
    .filter(({ initial, standard }) => initial !== standard)
    .map((field) => [field.name, valueIn(field, field.initial, field.initial === 'true')]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const uploadStep = (steps: readonly Step[]): Step =>
  newStep(findTool(UPLOAD)!, uniqueId('upload', steps));

/** Sets an option of a step to one of its choices. */
function set(steps: readonly Step[], index: number, name = '', value = ''): Change {
  const step = steps[index];
  const field = step && fieldsOf(step.tool).find((one) => one.name === name);
  const choice = field?.choices.find(([one]) => one === value)?.[1];
  if (!choice) return { steps: [...steps], announcement: '' };
  return {
    steps: steps.with(index, withValue(step!, name, value)),
    announcement: `"${field!.label}" of step ${index + 1} is now "${choice}".`,
  };
}

/** Keeps only the first line of a list. */
function leaveFirst(steps: readonly Step[], index: number, name = ''): Change {
  const step = steps[index];
  const field = step && fieldsOf(step.tool).find((one) => one.name === name);
  if (field?.type !== 'lines') return { steps: [...steps], announcement: '' };
  return {
    steps: steps.with(index, withFirstLine(step!, name)),
    announcement: `"${field.label}" of step ${index + 1} now has one line.`,
  };
}

/** Moves a step. The upload must remain the first step. */
function move(steps: readonly Step[], from: number, to: number): Change {
  const step = steps[from];
  if (!step || !steps[to] || isUpload(step) || isUpload(steps[to]))
    return { steps: [...steps], announcement: '' };
  return {
    steps: steps.toSpliced(from, 1).toSpliced(to, 0, step),
    announcement: `${step.tool.title} is now step ${to + 1} of ${steps.length}.`,
  };
}
