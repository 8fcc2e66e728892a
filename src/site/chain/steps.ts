/** A chain as its page shows it: the steps with their entered values, and the values that steps pass on. */
import { linkNameOf, type Tool } from '../../core/define-tool.ts';
import { isChainable, STEP_ID } from '../../execute/chain-steps.ts';
import { fillingField, resultFields } from '../../execute/feed.ts';
import { JsonBudget, type Reference, replaceReferences } from '../../execute/references.ts';
import { findTool } from '../../tools/find-tool.ts';
import { type Field, fieldsOf } from '../tool/fields.ts';
import { readFields } from '../tool/read-form.ts';

export interface Step {
  tool: Tool;
  /** The name of the step in references from later steps. */
  id: string;
  /** The entered values by field. */
  values: Record<string, string>;
  /** The entered parameters. All other parameters come from the previous step or keep their defaults. */
  parameters: Record<string, unknown>;
}

/** A parameter whose value comes from an earlier step. */
export interface Feed {
  /** The earlier step and the field of its result. */
  from: string;
  /** The label of the parameter. Empty if the parameter is the file. */
  to: string;
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

export function readSteps(form: FormData, most: number): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < most; index += 1) {
    const tool = findTool(String(form.get(`step${index}`) ?? ''));
    if (!tool || !isStepTool(tool)) break;
    const given = String(form.get(`${prefixOf(index)}id`) ?? '');
    const id = STEP_ID.test(given) ? given : tool.name;
    // A value that equals the default is also sent. Otherwise, the previous step could fill the parameter.
    const fields = plainFields(tool).map((field) =>
      field.type === 'choice' || field.type === 'text' ? { ...field, standard: '' } : field,
    );
    const { values, parameters } = readFields(form, fields, prefixOf(index));
    if (tool.name === UPLOAD) values.links = String(form.get(linksName(index)) ?? '');
    steps.push({ tool, id: uniqueId(id, steps), values, parameters });
  }
  return steps;
}

/** Returns `id`, or `id` with a number if another step already has it. */
export function uniqueId(id: string, steps: readonly Step[]): string {
  const isTaken = (wanted: string) => steps.some((step) => step.id === wanted);
  let unique = id;
  for (let number = 2; isTaken(unique); number += 1) unique = `${id.slice(0, 58)}_${number}`;
  return unique;
}

/** Creates a step, optionally with parameters. */
export function newStep(tool: Tool, id: string, parameters: Record<string, unknown> = {}): Step {
  const values = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, [value].flat().join('\n')]),
  );
  return { tool, id, values, parameters };
}

/** Returns the step with another value of a text or a choice. */
export const withValue = (step: Step, name: string, value: string): Step => ({
  ...step,
  values: { ...step.values, [name]: value },
  parameters: { ...step.parameters, [name]: value },
});

/** Returns the fields of the step at `index`, each with a text that states what happens if the field is empty. */
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
  path.length === 1 && path[0] === 'url' ? LINK : path.join('.') || 'all';

/**
 * Returns a description of the value that the previous step provides for an empty parameter, or null if there is none.
 */
export function filledFrom(steps: readonly Step[], index: number, name: string): string | null {
  const { tool, parameters } = steps[index]!;
  const previous = steps[index - 1];
  if (name === linkNameOf(tool)) {
    if (isUpload(previous)) return name === 'fileUrls' ? 'the files' : 'the file';
    return fillingField(tool, parameters, name, previous) === null ? null : 'the file';
  }
  const field = fillingField(tool, parameters, name, previous && asPassed(previous));
  return field === 'url' ? LINK : field;
}

/** The description of the link to a step's file or page. */
const LINK = 'the link';

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

/** Returns the position on the page of the step that a reference names by its ID or its number. */
function positionOf(step: string, steps: readonly Step[]): number {
  const skipped = isUpload(steps[0]) ? 1 : 0;
  return /^\d+$/.test(step) ? Number(step) + skipped : steps.findIndex(({ id }) => id === step);
}

/** The compressed image formats that a PDF can contain unchanged. */
const IN_PDF = ['jpeg', 'png'];

/**
 * Whether the step at `index` puts images into a PDF that cannot contain their format. They are then stored losslessly,
 * which makes photos larger.
 */
export function growsInPdf(steps: readonly Step[], index: number): boolean {
  const before = steps[index - 1];
  return (
    steps[index]!.tool.name === 'images_to_pdf' &&
    before?.tool.name === 'compress_image' &&
    !IN_PDF.includes(String(before.parameters.format))
  );
}

/** Whether the step creates a short link to a stored file. The file expires before the link. */
export function linksToFile(steps: readonly Step[], index: number): boolean {
  const { tool, parameters } = steps[index]!;
  if (tool.name !== 'shorten_url') return false;
  const { url } = parameters;
  if (typeof url === 'string' && /\/files\/[\w-]{20,}\//.test(url)) return true;
  const sources =
    url === undefined ? [index - 1] : referencesIn(url).map((one) => sourceOf(one, index, steps));
  return sources.some((at) => STORING.has(steps[at]?.tool.name ?? '') || steps[at]?.tool.produces);
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

/** Returns the position on the page of the step that a reference in the step at `index` refers to. */
const sourceOf = ({ step }: Reference, index: number, steps: readonly Step[]): number =>
  step === null ? index - 1 : positionOf(step, steps);

/** The tools whose result is JSON with a link to a stored file. */
const STORING = new Set([UPLOAD, 'screenshot_url', 'fetch_site_logo']);

function referencesIn(value: unknown): Reference[] {
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
  } catch {
    // Malformed references are reported only when the chain runs.
  }
  return found;
}

/** Returns the fields that later steps can refer to. */
export const givenBy = ({ tool }: Step): string[] => [...resultFields(tool)];

function isNeeded(tool: Tool, name: string): boolean {
  if (name === linkNameOf(tool)) return (tool.files?.min ?? 0) > 0;
  return fieldsOf(tool).some((field) => field.name === name && field.required);
}

/**
 * Returns the fields of a tool. All fields are optional, because the previous step or the default fills an empty one.
 */
function plainFields(tool: Tool): Field[] {
  if (tool.name === UPLOAD) return [];
  const link = linkNameOf(tool);
  const fields = fieldsOf(tool).map(
    (field): Field => ({
      ...field,
      required: false,
      takesReferences: !isChosen(field),
      rows: Math.min(field.rows, 4),
      initial: field.type === 'boolean' ? field.standard : field.isPercent ? field.initial : '',
      placeholder: field.standard === '' ? field.placeholder : field.standard,
      unset: field.standard === '' ? field.unset : `Default: ${nameOf(field)}`,
    }),
  );
  return link ? [linkField(link), ...fields] : fields;
}

/** Whether the visitor chooses a number from a list or with a slider. */
const isChosen = ({ type, choices, isPercent }: Field): boolean =>
  type === 'number' && (choices.length > 0 || isPercent);

const nameOf = ({ choices, standard }: Field) =>
  choices.find(([value]) => value === standard)?.[1] ?? standard;

const linkField = (name: string): Field => ({
  name,
  takesReferences: true,
  label: name === 'fileUrls' ? 'Links to the files' : 'Link to the file',
  type: name === 'fileUrls' ? 'lines' : 'text',
  required: false,
  takesFile: false,
  mayBeEmpty: false,
  hint: name === 'fileUrls' ? 'Links to stored files, one per line.' : 'The link to a stored file.',
  choices: [],
  unset: '',
  initial: '',
  standard: '',
  placeholder: '',
  minimum: undefined,
  maximum: undefined,
  whole: false,
  rows: name === 'fileUrls' ? 3 : 1,
  control: undefined,
  isPercent: false,
  isAdvanced: false,
});
