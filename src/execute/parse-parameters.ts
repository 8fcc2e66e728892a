/**
 * Validates a caller's parameters against the tool's schema. Errors are written for people, and changed values cause
 * warnings.
 */
import * as z from 'zod';
import { linkNameOf, type Tool } from '../core/define-tool.ts';
import { badRequest } from '../core/errors.ts';
import { invalidMessage, missingMessage, shorten, shown } from './parameter-message.ts';

z.config({ jitless: true });

const MAX_NAMED = 5;
/** The maximum number of reported errors. An array may have thousands of invalid items. */
const MAX_FINDINGS = 20;

interface Finding {
  param: string;
  message: string;
}

export interface ParsedParameters {
  parameters: Record<string, unknown>;
  warnings: string[];
}

/**
 * Validates `given` against the tool's schema. Unknown names cause warnings, or are refused if `strict` is set (MCP). A
 * value that the schema clamps or replaces with its default also causes a warning (decisions.md, Execution). An error
 * about a missing parameter also states what was ignored, because the ignored input may be that parameter, misspelled
 * or misplaced. `ignored` are the warnings about the rest of the request.
 */
export function parseParameters(
  tool: Tool,
  given: Record<string, unknown>,
  strict: boolean,
  ignored: readonly string[] = [],
): ParsedParameters {
  const { shape } = tool.input;
  const warnings: string[] = [];
  const known: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const name in given) {
    if (Object.hasOwn(shape, name)) known[name] = given[name];
    else unknown.push(name);
  }
  const [first] = unknown;
  const refused: Finding[] = [];
  if (first !== undefined) {
    const fate = unknown.length === 1 ? ', which was ignored' : ', which were ignored';
    const message = describeUnknown(tool, unknown, strict ? '' : fate);
    if (strict) refused.push({ param: shorten(first), message });
    else warnings.push(message);
  }
  const result = tool.input.safeParse(known);
  const issues = result.error?.issues ?? [];
  if (!result.success || refused.length > 0) {
    throw describe(tool, known, refused, issues, [...ignored, ...warnings]);
  }
  const parameters = result.data;
  for (const name in known) {
    const before = known[name];
    const after = parameters[name];
    if (before === after || JSON.stringify(before) === JSON.stringify(after)) continue;
    const became = after === undefined ? 'ignored' : `replaced by ${shown(after)}`;
    warnings.push(`${name}: ${shown(before)} was ${became}.`);
  }
  return { parameters, warnings };
}

/** Describes the first unknown names, together with the names that the tool accepts. */
function describeUnknown(tool: Tool, unknown: readonly string[], fate: string): string {
  const some = unknown.slice(0, MAX_NAMED).map((name) => `"${shorten(name)}"`);
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
  const names = Object.keys(tool.input.shape);
  const link = linkNameOf(tool);
  if (link) names.push(link);
  const advice =
    names.length > 0
      ? `It takes ${names.map((name) => `"${name}"`).join(', ')}.`
      : 'It takes no parameters.';
  return `${tool.name} has no parameter ${some.join(', ')}${more}${fate}. ${advice}`;
}

function describe(
  tool: Tool,
  given: Record<string, unknown>,
  refused: readonly Finding[],
  issues: readonly z.core.$ZodIssue[],
  ignored: readonly string[],
) {
  const isMissing = ({ path }: z.core.$ZodIssue) =>
    path.length === 1 && given[String(path[0])] === undefined;
  const wrong = issues.slice(0, MAX_FINDINGS).map((issue): Finding => {
    const name = String(issue.path[0] ?? '');
    const message = isMissing(issue)
      ? missingMessage(tool, name)
      : invalidMessage(tool, issue, given[name]);
    return { param: name, message };
  });
  const findings = [...refused, ...wrong];
  const [first] = findings;
  const message = [
    first?.message ?? 'The parameters are invalid.',
    ...(issues.some(isMissing) ? ignored : []),
  ].join(' ');
  return badRequest(message, first?.param, findings.length > 1 ? findings : undefined);
}
