/** Determines the values that the steps of a chain pass on to later steps. */
import { linkNameOf } from '../../core/define-tool.ts';
import { ToolError } from '../../core/errors.ts';
import { fillingField, resultFields } from '../../execute/feed.ts';
import { JsonBudget, type Reference, replaceReferences } from '../../execute/references.ts';
import type { Field } from '../tool/fields.ts';
import { isNeeded, plainFields } from './step-fields.ts';
import { isUpload, type Step } from './steps.ts';

/** A parameter whose value comes from an earlier step. */
export interface Feed {
  /** A text that names the earlier step and the field of its result. */
  from: string;
  /** The label of the parameter. Empty if the parameter is the file. */
  to: string;
}

/** Returns the fields of the step at `index`. If the previous step fills one, its placeholder names the source. */
export function stepFields(steps: readonly Step[], index: number): Field[] {
  const { tool } = steps[index]!;
  return plainFields(tool).map((field) => {
    const from = filledFrom(steps, index, field.name);
    if (from !== null) {
      const source = `${from} of step ${index}`;
      return { ...field, placeholder: source, unset: `From step ${index}: ${from}` };
    }
    return { ...field, required: isNeeded(tool, field.name) };
  });
}

const LIST = new Intl.ListFormat('en-GB');

/** Returns the values that the step at `index` receives from earlier steps, automatically or by reference. */
export function feedsOf(steps: readonly Step[], index: number): Feed[] {
  const { tool, parameters } = steps[index]!;
  const link = linkNameOf(tool);
  // The facts of a file, such as its width, are named together with the file.
  const filled = plainFields(tool)
    .map(({ name }) => (Object.hasOwn(parameters, name) ? null : filledFrom(steps, index, name)))
    .filter((from) => from !== null);
  return plainFields(tool).flatMap(({ name, label }): Feed[] => {
    if (Object.hasOwn(parameters, name)) {
      return referencesIn(parameters[name]).map((reference) => {
        const at = sourceOf(reference, index, steps) + 1;
        return { from: `${sourceText(reference)} of step ${at}`, to: label };
      });
    }
    const from = filledFrom(steps, index, name);
    if (from === null) return [];
    if (name === link) return [{ from: `Uses ${LIST.format(filled)} of step ${index}`, to: '' }];
    if (link && filledFrom(steps, index, link) !== null && !Object.hasOwn(parameters, link))
      return [];
    return [{ from: `${from} of step ${index}`, to: label }];
  });
}

const sourceText = ({ path }: Reference): string =>
  (path.length === 1 && SPOKEN.get(path[0]!)) || path.join('.') || 'all';

/**
 * Returns a description of the value that the previous step provides for an empty parameter. Returns null if it
 * provides no such value.
 */
export function filledFrom(steps: readonly Step[], index: number, name: string): string | null {
  const { tool, parameters } = steps[index]!;
  const previous = steps[index - 1];
  if (name === linkNameOf(tool)) {
    if (isUpload(previous)) return name === 'fileUrls' ? 'the files' : 'the file';
    return fillingField(tool, parameters, name, previous) === null ? null : 'the file';
  }
  const field = fillingField(tool, parameters, name, previous && asPassed(previous));
  return field && (SPOKEN.get(field) ?? field);
}

/** The description of the link to a step's file or page. */
const LINK = 'the link';
/** The description of an image as a data URL. */
export const IMAGE_DATA = 'the image data';
/** Descriptions of result fields whose names visitors may not understand. */
const SPOKEN = new Map([
  ['url', LINK],
  ['dataUrl', IMAGE_DATA],
]);

/** An upload passes only the link of its file, because the API's chain does not contain the upload. */
const asPassed = (step: Step): Step =>
  isUpload(step) ? { ...step, tool: { ...step.tool, output: undefined, produces: [] } } : step;

/** Returns the parameters of the step at `index` that the link of an uploaded file fills. */
export const filledByUpload = (steps: readonly Step[], index: number): string[] =>
  isUpload(steps[index - 1])
    ? plainFields(steps[index]!.tool)
        .map(({ name }) => name)
        .filter((name) => filledFrom(steps, index, name) !== null)
    : [];

/** Returns the index in `steps` of the step that a reference names by its ID or its number, or -1 for an unknown ID. */
function positionOf(step: string, steps: readonly Step[]): number {
  const skipped = isUpload(steps[0]) ? 1 : 0;
  return /^\d+$/.test(step) ? Number(step) + skipped : steps.findIndex(({ id }) => id === step);
}

/**
 * Whether a later step uses the link to this step's file as text, for example in a QR code. The file must then outlive
 * the run.
 */
export function isLinkUsed(steps: readonly Step[], index: number): boolean {
  return steps.some(({ tool, parameters }, at) => {
    if (at <= index) return false;
    return plainFields(tool).some(({ name }) => {
      if (name === linkNameOf(tool)) return false;
      if (!Object.hasOwn(parameters, name))
        return at === index + 1 && filledFrom(steps, at, name) === LINK;
      return referencesIn(parameters[name]).some(
        (one) =>
          sourceOf(one, at, steps) === index && (one.path.length === 0 || one.path[0] === 'url'),
      );
    });
  });
}

/** Returns the index in `steps` of the step that a reference in the step at `index` refers to. */
export const sourceOf = ({ step }: Reference, index: number, steps: readonly Step[]): number =>
  step === null ? index - 1 : positionOf(step, steps);

/** Returns the references in a parameter. */
export function referencesIn(value: unknown): Reference[] {
  const found: Reference[] = [];
  try {
    replaceReferences(
      value,
      (reference) => {
        found.push(reference);
        return '';
      },
      new JsonBudget(),
    );
  } catch (error) {
    // Malformed references are reported only when the chain runs.
    if (!(error instanceof ToolError)) throw error;
  }
  return found;
}

/** Returns the fields that later steps can refer to. */
export const givenBy = ({ tool }: Step): string[] => [...resultFields(tool)];
