/** Fills the empty parameters of a chain step from the result of the previous step (decisions.md, Chain). */
import * as z from 'zod';
import { linkNameOf, type Tool } from '../core/define-tool.ts';

/**
 * The fields that may contain the main text of a result, in order of preference. Text that the tool produced comes
 * before text that it received.
 */
export const TEXT_FIELDS = [
  'dataUrl',
  'encoded',
  'decoded',
  'formatted',
  'sql',
  'humanizedText',
  'email',
  'outline',
  'text',
];

/** The fields that may contain the main string of a result. */
const MAIN_FIELDS = [...TEXT_FIELDS, 'shortUrl', 'url'];

/** The fields of a file result in a chain. A chain stores the file, and a link replaces its bytes. */
export const FILE_FIELDS = [
  ...['url', 'filename', 'contentType', 'size', 'expiresAt'],
  ...['pages', 'width', 'height', 'durationMs', 'inputBytes'],
];

interface Input {
  names: string[];
  required: string[];
  /** The required parameters that accept any text. */
  texts: Set<string>;
}

const inputs = new WeakMap<Tool, Input>();

/**
 * Returns the names of a tool's parameters, of the required ones, and of the required ones that accept any text. The
 * result is computed once per tool.
 */
function inputOf(tool: Tool): Input {
  const known = inputs.get(tool);
  if (known) return known;
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { io: 'input' }) as {
    properties?: Record<string, { type?: string; enum?: unknown }>;
    required?: string[];
  };
  const texts = required.filter(
    (name) => properties[name]?.type === 'string' && !properties[name]?.enum,
  );
  const input = { names: Object.keys(properties), required, texts: new Set(texts) };
  inputs.set(tool, input);
  return input;
}

/** Returns the fields that a tool's result can have in a chain. */
export function resultFields(tool: Tool): Set<string> {
  return new Set([...Object.keys(tool.output?.shape ?? {}), ...(tool.produces ? FILE_FIELDS : [])]);
}

/** Returns the required parameters that a step leaves empty. */
export const lackingOf = (tool: Tool, own: Record<string, unknown>): string[] =>
  inputOf(tool).required.filter((name) => !Object.hasOwn(own, name));

/** A step before it runs. */
export interface Call {
  tool: Tool;
  parameters: Readonly<Record<string, unknown>>;
}

/**
 * Returns the fields of a step's result that can fill parameters of the next step. If the result is a file, only its
 * link is passed on.
 */
function passedBy({ tool: { output, produces, fileWith }, parameters }: Call): Set<string> {
  const values = Object.entries(fileWith ?? {}).map(([name, value]) => [parameters[name], value]);
  // A reference can resolve to any value.
  const isUnknown = values.some(([value]) => typeof value === 'string' && value.includes('{{'));
  const isFile = values.every(([value, wanted]) => value === wanted);
  const isEither = fileWith === undefined || isUnknown;
  return new Set([
    ...(isEither || !isFile ? Object.keys(output?.shape ?? {}) : []),
    ...(produces && (isEither || isFile) ? ['url'] : []),
  ]);
}

/**
 * Returns the field of the previous step's result that fills a missing parameter, or null if none does. The result
 * depends only on the tools and the parameters, so it is known before the chain runs.
 */
export function fillingField(
  tool: Tool,
  own: Record<string, unknown>,
  name: string,
  previous: Call | undefined,
): string | null {
  if (!previous) return null;
  const fields = passedBy(previous);
  if (name === linkNameOf(tool)) {
    return fields.has('url') && (tool.files?.min ?? 0) <= 1 ? 'url' : null;
  }
  if (fields.has(name)) return name;
  const { names, texts } = inputOf(tool);
  const isMain =
    lackingOf(tool, own).length === 1 &&
    texts.has(name) &&
    !names.some((other) => !Object.hasOwn(own, other) && fields.has(other));
  return (isMain && MAIN_FIELDS.find((field) => fields.has(field))) || null;
}

/** The result of the previous step. If it is a file, only its link is passed on. */
export interface Previous {
  result: Record<string, unknown>;
  isFile: boolean;
}

/**
 * Adds values from the previous result to a step's own parameters, which take precedence. `isStored` recognizes links
 * to our storage.
 */
export function feed(
  tool: Tool,
  own: Record<string, unknown>,
  { result, isFile }: Previous,
  isStored: (link: string) => boolean,
): Record<string, unknown> {
  const fed: Record<string, unknown> = {};
  const given: Record<string, unknown> = isFile ? { url: result.url } : result;
  for (const name of inputOf(tool).names) {
    // Null has the same meaning as an omitted parameter.
    if (!Object.hasOwn(own, name) && Object.hasOwn(given, name) && (given[name] ?? null) !== null) {
      fed[name] = given[name];
    }
  }
  const link = linkNameOf(tool);
  if (link && !Object.hasOwn(own, link)) {
    const { url } = given;
    if (typeof url === 'string' && isStored(url)) fed[link] = link === 'fileUrls' ? [url] : url;
  }
  const [lacking, ...others] = lackingOf(tool, own);
  if (Object.keys(fed).length === 0 && lacking && others.length === 0) {
    const main = MAIN_FIELDS.map((name) => given[name]).find((value) => typeof value === 'string');
    if (main !== undefined && inputOf(tool).texts.has(lacking)) fed[lacking] = main;
  }
  return { ...fed, ...own };
}
