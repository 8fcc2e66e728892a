/** Builds the messages about missing and invalid parameters. They are derived from the tool's schema. */
import * as z from 'zod';
import type { Tool } from '../core/define-tool.ts';

const MAX_SHOWN = 60;

interface Schema {
  type?: string;
  enum?: unknown[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** `where` follows the word "missing", as in ` from "parameters"`. */
export function missingMessage(tool: Tool, name: string, where = ''): string {
  const schema = schemaOf(tool.input.shape[name]);
  const example = tool.example?.parameters?.[name];
  const suchAs = example === undefined || schema.enum ? '' : `, such as ${shown(example)}`;
  return `The parameter "${name}" is missing${where}. Send ${expected(schema)}${suchAs}.`;
}

/** `given` is the value of the invalid parameter. */
export function invalidMessage(tool: Tool, issue: z.core.$ZodIssue, given: unknown): string {
  const [name, ...inside] = issue.path;
  const parameter = tool.input.shape[String(name)];
  const location = `The parameter "${issue.path.map(String).join('.')}"`;
  if (issue.code === 'custom' || issue.code === 'invalid_format') {
    const description = (parameter as z.ZodType | undefined)?.description;
    return `${location} is invalid. ${description ?? `${issue.message}.`}`;
  }
  let schema = schemaOf(parameter);
  let value = given;
  for (const key of inside) {
    schema = schema.items ?? {};
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  const isLength = issue.code.startsWith('too_') && typeof value !== 'number';
  const got = isLength ? `but has ${count((value as string).length)}` : `not ${described(value)}`;
  return `${location} must be ${expected(schema)}, ${got}.`;
}

/** Returns a value as JSON, shortened if it is long. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return shorten(JSON.stringify(value) ?? 'nothing');
}

export const shorten = (text: string) =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;

const schemaOf = (schema: z.core.$ZodType | undefined): Schema =>
  schema ? (z.toJSONSchema(schema, { io: 'input' }) as Schema) : {};

function expected(schema: Schema): string {
  if (schema.enum) return anyOf(schema.enum.map((value) => JSON.stringify(value)));
  const { type, minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  if (type === 'string') return `a string${sized(' of ', minLength, maxLength, ' characters')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'array') return `an array of ${sized('', minItems, maxItems, ' ')}${plural(schema)}`;
  if (type === 'integer') return `an integer${ranged(minimum, maximum)}`;
  if (type === 'number') return `a number${ranged(minimum, maximum)}`;
  return type === 'object' ? 'an object' : 'another value';
}

const plural = ({ items }: Schema) => (items?.type ? `${items.type}s` : 'values');

function sized(before: string, least = 0, most = Number.POSITIVE_INFINITY, after = ''): string {
  if (least > 0 && most < Infinity) return `${before}${least} to ${count(most)}${after}`;
  if (most < Infinity) return `${before}at most ${count(most)}${after}`;
  return least > 0 ? `${before}at least ${least}${after}` : '';
}

/**
 * Describes the range of a number. Zod sets the bounds of an unbounded integer to the smallest and largest safe
 * integers, which are ignored.
 */
function ranged(least = -Infinity, most = Infinity): string {
  const isBelow = most < Number.MAX_SAFE_INTEGER;
  if (least > Number.MIN_SAFE_INTEGER)
    return isBelow ? ` from ${least} to ${most}` : ` of at least ${least}`;
  return isBelow ? ` of at most ${most}` : '';
}

function described(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : shown(value);
}

const anyOf = (values: readonly string[]) =>
  [values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ');

const count = (number: number) => number.toLocaleString('en-US');
