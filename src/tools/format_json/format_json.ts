/** format_json: indents and minifies strict JSON (RFC 8259) in its original order. */
import * as z from 'zod';
import { type CallContext, defineTool } from '../../core/define-tool.ts';
import { badRequest, failed } from '../../core/errors.ts';
import { SMALL_JSON_BYTES } from '../../core/large-call.ts';
import { MB } from '../../core/limits.ts';
import { json as jsonOutput } from '../../core/tool-output.ts';
import { tooManyValues } from '../../lib/body.ts';
import { jsonExcess } from '../../lib/json-bounds.ts';
import { NO_DETOURS } from './exact-json.ts';
import { indentedLength, indentJson } from './indent-json.ts';
import { skipNumber } from './json-tokens.ts';
import { type Minified, minifyJson, writeNumber } from './minify-json.ts';
import type { Detours } from './open-keys.ts';
import { position, validJson } from './valid-json.ts';

/**
 * The maximum size of the result in bytes. Indentation grows with the square of the nesting depth, so a short input
 * could produce gigabytes.
 */
const MAX_FORMATTED_BYTES = 24 * MB;

export const formatJson = defineTool({
  name: 'format_json',
  title: 'Format JSON',
  shortName: 'Format JSON',
  kind: 'data',
  icon: 'braces',
  domain: 'dev',
  description:
    'Checks strict JSON (no comments, no trailing commas) and returns it indented and minified. Up to 200,000 values. Key order is preserved; the last of duplicate keys wins; integers beyond 2^53 lose precision. The error for invalid JSON names the position.',
  input: z.strictObject({
    json: z.string().describe('The JSON text.'),
    indent: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .catch(2)
      .describe('Spaces per level, 0 to 10; anything else counts as 2.'),
  }),
  output: z.object({
    valid: z.literal(true).describe('Always true: invalid JSON is an error.'),
    formatted: z.string().describe('The document, indented by `indent` spaces per level.'),
    minified: z.string().describe('The document without white space.'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { json: '{"name":"Ada","born":1815,"tags":["maths","engines"]}' } },
  form: {
    json: { help: '', rows: 10, takesFile: true },
    indent: { label: 'Spaces per level', help: '' },
  },
  synonyms: [
    'formatter',
    'pretty print',
    'prettify',
    'prettier',
    'beautify',
    'indent',
    'minify',
    'validate',
    'lint',
  ],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  check: ({ json }) => {
    if (jsonExcess(json, Number.POSITIVE_INFINITY)) throw tooManyValues('The JSON', 'json');
  },
  run: (parameters, context) => format(parameters, context),
});

interface Parameters {
  json: string;
  indent: number;
}

/** @param keepsText whether numbers and repeated keys stay as they are written in the JSON */
export async function format(
  { json, indent }: Parameters,
  context: CallContext,
  keepsText = false,
) {
  // Other requests can run between the steps. A step takes about 100 ms for the largest inputs.
  const next = async () => {
    if (json.length > SMALL_JSON_BYTES) await context.beginLarge();
  };
  const detours = validJson(json, 'json');
  await next();
  const { json: minified, rounded } = minifyJson(json, keepsText ? NO_DETOURS : detours, keepsText);
  warnOfDuplicateKeys(json, detours, keepsText, context.warn);
  warnOfRoundedNumbers(json, rounded, context.warn);
  await next();
  const length = indentedLength(minified, indent);
  const bytes = isLatin1(minified) ? length : 2 * length;
  if (bytes > MAX_FORMATTED_BYTES) {
    throw badRequest(
      `The JSON would take ${Math.ceil(bytes / MB)} MB with an indent of ${indent}, but the limit is ${MAX_FORMATTED_BYTES / MB} MB. Use a smaller indent (0 gives one line), or send a smaller part.`,
      'json',
    );
  }
  // The result contains both the indented and the minified text.
  const together = length + minified.length;
  if (together > context.resultBytes) {
    throw failed(
      `The indented and the minified JSON would take ${Math.ceil(together / MB)} MB together, but the limit for stored results is ${context.resultBytes / MB} MB. Use a smaller indent, or call format_json directly over REST.`,
    );
  }
  if (bytes > SMALL_JSON_BYTES) await context.beginLarge(bytes);
  return jsonOutput({ valid: true as const, formatted: indentJson(minified, indent), minified });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are part of Latin-1
const isLatin1 = (text: string) => !/[^\x00-\xff]/.test(text);

type Warn = (message: string) => void;

function warnOfDuplicateKeys(
  json: string,
  { replace }: Detours,
  keepsText: boolean,
  warn: Warn,
): void {
  const [first] = replace.keys();
  if (first === undefined) return;
  const start =
    replace.size === 1
      ? 'The JSON has a duplicate key. Only its last value'
      : `The JSON has ${replace.size} duplicate keys. Only the last value of each`;
  warn(
    keepsText
      ? `${start} counts in most programs. The first ignored value is at ${position(json, first)}.`
      : `${start} was kept. The first dropped value is at ${position(json, first)}.`,
  );
}

function warnOfRoundedNumbers(json: string, { count, at }: Minified['rounded'], warn: Warn): void {
  if (count === 0) return;
  const number = json.slice(at, skipNumber(json, at));
  const start = count === 1 ? 'A number has' : `${count} numbers have`;
  warn(
    `${start} more digits than a double holds and ${count === 1 ? 'was' : 'were'} rounded: ${cut(number)} at ${position(json, at)} became ${cut(writeNumber(number))}.`,
  );
}

const cut = (number: string) => (number.length > 40 ? `${number.slice(0, 40)}…` : number);
