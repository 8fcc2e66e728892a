/**
 * Validates a caller's parameters against the tool's schema. Errors are written for people, and changed values cause
 * warnings.
 */
import * as z from 'zod';
import { linkNameOf, type Tool } from '../core/define-tool.ts';
import { badRequest } from '../core/errors.ts';
import { invalidMessage, missingMessage, shorten, shown } from './parameter-message.ts';

z.config({ jitless: true });

const MOST_NAMED = 5;
/** The maximum number of reported errors. An array may have thousands of invalid items. */
const MOST_FINDINGS = 20;

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
 * value that the schema clamps or replaces with its default also causes a warning (decisions.md, Execution).
 */
export function parseParameters(
  tool: Tool,
  given: Record<string, unknown>,
  strict: boolean,
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
    const ignored = unknown.length === 1 ? ', which was ignored' : ', which were ignored';
    const message = describeUnknown(tool, unknown, strict ? '' : ignored);
    if (strict) refused.push({ param: shorten(first), message });
    else warnings.push(message);
  }
  const result = tool.input.safeParse(known);
  const issues = result.error?.issues ?? [];
  if (!result.success || refused.length > 0) {
    throw describe(tool, known, refused, issues);
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
function describeUnknown(tool: Tool, unknown: readonly string[], ignored: string): string {
  const some = unknown.slice(0, MOST_NAMED).map((name) => `"${shorten(name)}"`);
  const more = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : '';
  const names = Object.keys(tool.input.shape);
  const link = linkNameOf(tool);
  if (link) names.push(link);
  const advice =
    names.length > 0
      ? `It takes ${names.map((name) => `"${name}"`).join(', ')}.`
      : 'It takes no parameters.';
  return `${tool.name} has no parameter ${some.join(', ')}${more}${ignored}. ${advice}`;
}

function describe(
  tool: Tool,
  given: Record<string, unknown>,
  refused: readonly Finding[],
  issues: readonly z.core.$ZodIssue[],
) {
  const wrong = issues.slice(0, MOST_FINDINGS).map((issue): Finding => {
    const name = String(issue.path[0] ?? '');
    const missing = issue.path.length === 1 && given[name] === undefined;
    const message = missing ? missingMessage(tool, name) : invalidMessage(tool, issue, given[name]);
    return { param: name, message };
  });
  const findings = [...refused, ...wrong];
  const [first] = findings;
  const details = findings.length > 1 ? findings : undefined;
  return badRequest(first?.message ?? 'The parameters are invalid.', first?.param, details);
}
