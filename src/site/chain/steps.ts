/** A chain as its page shows it: the steps with their entered values. */
import type { Tool } from '../../core/define-tool.ts';
import { isChainable } from '../../execute/chain-steps.ts';

export interface Step {
  tool: Tool;
  /** The name of the step in references from later steps. */
  id: string;
  /** The entered values by field. */
  values: Record<string, string>;
  /** The entered parameters. All other parameters come from the previous step or keep their defaults. */
  parameters: Record<string, unknown>;
}

/**
 * The name of the upload step, which exists only on the page. In the API, the links to its files are parameters of the
 * next step.
 */
export const UPLOAD = 'upload_file';

export const isUpload = (step: Step | undefined): boolean => step?.tool.name === UPLOAD;

/** Whether a step of the page can use this tool. */
export const isStepTool = (tool: Tool): boolean => isChainable(tool) || tool.name === UPLOAD;

const STORED_LINK = /^https?:\/\/[^/\s]{1,300}\/files\/[\w-]{20,80}\/[^/\s]{1,800}$/;

/** Returns the links to the uploaded files. */
export const uploadedBy = ({ values }: Step): string[] =>
  // Browsers send line breaks in forms as CRLF.
  (values.links ?? '').split(/\r?\n/).filter((link) => STORED_LINK.test(link));

/** Returns the steps without the links to uploaded files. */
export const withoutUploads = (steps: readonly Step[]): Step[] =>
  steps.map((step) => (isUpload(step) ? { ...step, values: {} } : step));

export const prefixOf = (index: number): string => `step${index}-`;

/** Returns the name of the form field that contains the links to an upload step's files. */
export const linksName = (index: number): string => `${prefixOf(index)}links`;

/** Returns `id`, or `id` with a number if another step already has it. */
export function uniqueId(id: string, steps: readonly Step[]): string {
  const isTaken = (wanted: string) => steps.some((step) => step.id === wanted);
  let unique = id;
  for (let number = 2; isTaken(unique); number += 1) unique = `${id.slice(0, 58)}_${number}`;
  return unique;
}

/** Creates a step. Its form fields contain the parameters as text, with one line per item of a list. */
export function newStep(tool: Tool, id: string, parameters: Record<string, unknown> = {}): Step {
  const values = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, [value].flat().join('\n')]),
  );
  return { tool, id, values, parameters };
}

/** Returns the step with a new value in a text field or a choice. */
export const withValue = (step: Step, name: string, value: string): Step => ({
  ...step,
  values: { ...step.values, [name]: value },
  parameters: { ...step.parameters, [name]: value },
});

/** Returns the step with only the first value of a list. */
export function withFirstLine(step: Step, name: string): Step {
  const [first] = [step.parameters[name]].flat();
  return {
    ...step,
    values: { ...step.values, [name]: String(first ?? '') },
    parameters: { ...step.parameters, [name]: [first] },
  };
}
