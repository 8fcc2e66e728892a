/** Validates a whole chain before its first step runs. */
import { linkNameOf, type Tool } from '../core/define-tool.ts';
import { badRequest, ToolError } from '../core/errors.ts';
import type { StoragePort } from '../core/ports.ts';
import { toolNamed } from '../tools/find-tool.ts';
import { checkLink } from './check-link.ts';
import { browserOnly } from './execute.ts';
import { fillingField, lackingOf, resultFields } from './feed.ts';
import { takeLinks } from './input-files.ts';
import { missingMessage } from './parameter-message.ts';
import { parseParameters } from './parse-parameters.ts';
import { JsonBudget, type Reference, replaceReferences } from './references.ts';

export const MAX_STEPS = 12;
/**
 * The maximum number of parameters in a step. The number is limited because the parameters are searched several times.
 * No tool has nearly this many parameters.
 */
const MAX_PARAMETERS = 200;
/**
 * The format of a step ID. In a reference, a number is the index of a step and a dot ends the ID. An ID therefore must
 * not start with a digit or contain a dot.
 */
export const STEP_ID = /^[A-Za-z_][\w-]{0,63}$/;
const FIELDS = ['tool', 'parameters', 'id'];

export interface ChainStep {
  tool: Tool;
  parameters: Record<string, unknown>;
  id?: string;
}

/**
 * Parses the steps of a `toolChain`. `find` returns the tool with the given name. Throws ToolError 400, 413 or
 * 501. If a single step is invalid, the error names it.
 */
export function readSteps(given: unknown, find = toolNamed): ChainStep[] {
  if (!Array.isArray(given)) {
    throw badRequest(
      '"toolChain" must be an array of steps: [{"tool": "encode_base64", "parameters": {"text": "hi"}}, …].',
      'toolChain',
    );
  }
  if (given.length < 1 || given.length > MAX_STEPS) {
    throw badRequest(
      `A chain has 1 to ${MAX_STEPS} steps, but this one has ${given.length}.`,
      'toolChain',
    );
  }
  const steps: ChainStep[] = [];
  for (const [index, element] of given.entries()) {
    inStep(index, () => {
      const step = readStep(element, find);
      if (step.id !== undefined && steps.some(({ id }) => id === step.id)) {
        throw badRequest(`The ID "${step.id}" is used twice. Give each step a unique ID.`, 'id');
      }
      checkParameters(step, steps);
      steps.push(step);
    });
  }
  return steps;
}

function readStep(element: unknown, find: typeof toolNamed): ChainStep {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) {
    throw badRequest('A step must be an object: {"tool": …, "parameters": {…}, "id": …}.');
  }
  const { tool: name, parameters = {}, id } = element as Record<string, unknown>;
  const misplaced = Object.keys(element).find((field) => !FIELDS.includes(field));
  if (misplaced !== undefined) {
    throw badRequest(
      `A step cannot have the field "${misplaced.slice(0, 60)}". Put parameters in "parameters".`,
    );
  }
  const tool = find(name);
  if (!tool.run) throw browserOnly(tool);
  if (!isChainable(tool)) {
    throw badRequest(
      `${tool.name} takes an upload, which a chain cannot contain. Call it separately and use the returned link as fileUrl.`,
      'tool',
    );
  }
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw badRequest('"parameters" must be an object with the tool\'s parameters.', 'parameters');
  }
  if (Object.keys(parameters).length > MAX_PARAMETERS) {
    throw badRequest(
      `A step takes at most ${MAX_PARAMETERS} parameters. Send fewer.`,
      'parameters',
    );
  }
  if (id === undefined || id === null)
    return { tool, parameters: parameters as ChainStep['parameters'] };
  if (typeof id !== 'string' || !STEP_ID.test(id)) {
    throw badRequest(
      'An ID must start with a letter or underscore and have at most 64 letters, digits, underscores or hyphens.',
      'id',
    );
  }
  return { tool, parameters: parameters as ChainStep['parameters'], id };
}

/** Checks those parameters of a step that do not depend on the results of earlier steps. */
function checkParameters(step: ChainStep, before: readonly ChainStep[]): void {
  const { tool, parameters } = step;
  const literal: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    let refers = false;
    atParameter(name, () =>
      replaceReferences(
        value,
        (reference) => {
          refers = true;
          checkReference(reference, before);
          return '';
        },
        new JsonBudget(),
      ),
    );
    if (!refers) literal[name] = value;
  }
  const previous = before.at(-1);
  for (const { param, message } of findingsOf(tool, literal)) {
    if (Object.hasOwn(literal, param)) throw badRequest(message, `parameters.${param}`);
  }
  const lacking = lackingOf(tool, parameters).find(
    (name) => fillingField(tool, parameters, name, previous) === null,
  );
  if (lacking !== undefined) {
    const where = previous
      ? ` from "parameters", and the result of ${previous.tool.name} does not fill it`
      : ' from "parameters"';
    throw badRequest(missingMessage(tool, lacking, where), `parameters.${lacking}`);
  }
  checkLinks(step, literal, previous);
  checkValues(tool, literal);
}

/** Runs the tool's own checks if no required parameter depends on an earlier step. */
function checkValues(tool: Tool, literal: Record<string, unknown>): void {
  if (!tool.check || lackingOf(tool, literal).length > 0) return;
  const { parameters } = parseParameters(tool, withoutLink(tool, literal), false);
  renamed(
    () => tool.check?.(parameters as never),
    (param) => `parameters.${param}`,
  );
}

function withoutLink(tool: Tool, parameters: Record<string, unknown>): Record<string, unknown> {
  const { [linkNameOf(tool) ?? '']: _, ...others } = parameters;
  return others;
}

function checkLinks(
  { tool, parameters }: ChainStep,
  literal: Record<string, unknown>,
  previous: ChainStep | undefined,
): void {
  const link = linkNameOf(tool);
  if (!link) return;
  if (Object.hasOwn(literal, link)) atParameter(link, () => takeLinks(tool, literal, []));
  const { min, max } = tool.files!;
  const isSet = Object.hasOwn(parameters, link);
  if (min > 0 && !isSet && fillingField(tool, parameters, link, previous) === null) {
    throw badRequest(
      `${tool.name} needs ${min === 1 ? 'a file' : `at least ${min} files`}: set "${link}" to ${max > 1 ? 'links to stored files' : 'the link to a stored file'}` +
        `${min === 1 ? ', or let the previous step create one' : ''}.`,
      `parameters.${link}`,
    );
  }
}

/** Throws 400 if a literal link cannot point to a file. The error names the step. */
export function checkFileLinks(
  steps: readonly ChainStep[],
  storage: Pick<StoragePort, 'isOurs'>,
): void {
  for (const [index, { tool, parameters }] of steps.entries()) {
    const name = linkNameOf(tool);
    const links = name ? [parameters[name]].flat() : [];
    for (const link of links) {
      if (typeof link !== 'string' || link.includes('{{')) continue;
      inStep(index, () => atParameter(name!, () => checkLink(link, name!, storage)));
    }
  }
}

function checkReference({ text, step, path }: Reference, before: readonly ChainStep[]): void {
  const target = before[indexOfStep(step, before)];
  if (!target) {
    throw badRequest(
      before.length === 0
        ? `The reference ${text} is invalid: there is no earlier step.`
        : `The reference ${text} does not match an earlier step. Use the ID of an earlier step: {{steps.ID.result.FIELD}}.`,
    );
  }
  const [field] = path;
  const fields = resultFields(target.tool);
  if (field !== undefined && !fields.has(field)) {
    throw badRequest(
      `The reference ${text} is invalid. Use a field that ${target.tool.name} returns: ${[...fields].join(', ')}.`,
    );
  }
}

/**
 * Returns the index of the step to which a reference refers. Returns -1 if no earlier step has the ID. An index in the
 * reference itself is not checked.
 */
export function indexOfStep(step: string | null, before: readonly { id?: string }[]): number {
  if (step === null) return before.length - 1;
  return /^\d+$/.test(step) ? Number(step) : before.findIndex(({ id }) => id === step);
}

interface Finding {
  param: string;
  message: string;
}

function findingsOf(tool: Tool, parameters: Record<string, unknown>): Finding[] {
  try {
    parseParameters(tool, withoutLink(tool, parameters), false);
    return [];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (error.details) return error.details as Finding[];
    return [{ param: error.param ?? '', message: error.message }];
  }
}

const atParameter = <T>(name: string, check: () => T): T =>
  renamed(check, () => `parameters.${name.slice(0, 60)}`);

/** Runs `check` and adds the index of the step to its errors. */
function inStep<T>(index: number, check: () => T): T {
  const location = `toolChain[${index}]`;
  return renamed(
    check,
    (param) => (param ? `${location}.${param}` : location),
    (message) => `Step ${index}: ${message}`,
  );
}

function renamed<T>(
  check: () => T,
  param: (param: string | undefined) => string,
  message = (text: string) => text,
): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(error.code, message(error.message), {
      status: error.status,
      param: param(error.param),
    });
  }
}

export const isChainable = (tool: Tool): boolean =>
  tool.run !== undefined && tool.surfaces.includes('chain');
