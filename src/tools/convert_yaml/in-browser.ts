/** Converts with the `yaml` package, because its error messages contain the line number. */
import {
  type Document,
  isCollection,
  parseAllDocuments,
  stringify,
  visit,
  type YAMLParseError,
} from 'yaml';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { position, validJson } from '../format_json/valid-json.ts';
import { convertYaml } from './convert_yaml.ts';

export const convertYamlHere = defineTool({
  ...convertYaml,
  run({ text, to }, { warn }) {
    if (to === 'json' && isJson(text))
      warn('The text is already JSON. Run again with to: "yaml" to convert it to YAML.');
    return json({ formatted: to === 'json' ? jsonOf(valueOfYaml(text, warn)) : yamlOf(text) });
  },
});

/** Whether the text is an object or an array in JSON, which is valid YAML too. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Returns the value of a single document, or an array of the values of several documents. */
function valueOfYaml(text: string, warn: (message: string) => void): unknown {
  const documents = [...parseAllDocuments(text, { merge: true, intAsBigInt: true })];
  const values = documents.map((document) => {
    if (document.errors.length > 0)
      throw badRequest(`The YAML is invalid: ${reason(document.errors)}`, 'text');
    try {
      return document.toJS();
    } catch (cause) {
      throw badRequest(`The YAML is invalid: ${(cause as Error).message}.`, 'text');
    }
  });
  warnOfOctal(text, documents, warn);
  return values.length > 1 ? values : values[0];
}

/**
 * Warns about the first number, such as 0755, that YAML 1.1 reads as octal and YAML 1.2 as a different, decimal value.
 */
function warnOfOctal(
  text: string,
  documents: readonly Document.Parsed[],
  warn: (message: string) => void,
): void {
  for (const document of documents) {
    let isFound = false;
    visit(document, {
      Scalar(_key, { value, source = '', range }) {
        if (typeof value !== 'bigint' || !/^-?0[0-7]{1,30}$/.test(source)) return undefined;
        const octal = octalIn(source);
        if (value === octal) return undefined;
        warn(
          `${source} at ${position(text, range![0])} is ${value} in YAML 1.2, but ${octal} in YAML 1.1, which reads it as octal. Quote it, or write 0o for octal.`,
        );
        isFound = true;
        return visit.BREAK;
      },
    });
    if (isFound) return;
  }
}

const octalIn = (source: string): bigint =>
  source.startsWith('-') ? -BigInt(`0o${source.slice(1)}`) : BigInt(`0o${source}`);

/** Writes JSON with all digits of large integers. Older browsers cannot do this and round integers beyond 2^53. */
function jsonOf(value: unknown): string {
  const { rawJSON } = JSON as { rawJSON?(text: string): unknown };
  const plain = (_key: string, part: unknown): unknown => {
    if (typeof part !== 'bigint') return part;
    const number = Number(part);
    return Number.isSafeInteger(number) ? number : (rawJSON?.(String(part)) ?? number);
  };
  return JSON.stringify(value, plain, 2) ?? 'null';
}

/** Matches integers that are short enough to be parsed quickly. */
const INTEGER = /^-?\d{1,400}$/;

/**
 * Converts JSON to YAML, with all digits of large integers. Strings such as `no`, which YAML 1.1 reads as another type,
 * are quoted.
 */
function yamlOf(text: string): string {
  try {
    validJson(text, 'text');
  } catch (error) {
    throw isBlockYaml(text)
      ? badRequest('This is YAML, not JSON. Choose JSON under "Convert to".', 'text')
      : error;
  }
  const exact = (_key: string, part: unknown, context?: { source?: string }): unknown =>
    typeof part === 'number' && !Number.isSafeInteger(part) && INTEGER.test(context?.source ?? '')
      ? BigInt(context!.source!)
      : part;
  return stringify(JSON.parse(text, exact), { compat: 'yaml-1.1' });
}

/** Whether the text is YAML and cannot have been meant as JSON, which begins with a bracket. */
function isBlockYaml(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false;
  const documents = [...parseAllDocuments(text)];
  return (
    isCollection(documents[0]?.contents) && documents.every(({ errors }) => errors.length === 0)
  );
}

/** Returns the first error's message, or a clearer one if a line is indented below a value. */
function reason([first, second]: readonly YAMLParseError[]): string {
  const isIndented =
    first!.code === 'BLOCK_AS_IMPLICIT_KEY' &&
    second?.code === 'MULTILINE_IMPLICIT_KEY' &&
    second.pos[0] === first!.pos[0];
  const [start, end] = (isIndented && second.linePos) || [];
  if (start && end)
    return `line ${end.line}, column ${end.col - 1} is indented more than line ${start.line}, which already has a value. Indent both lines equally.`;
  const plain = plainReason(first!);
  if (plain && first!.linePos) {
    const [{ line, col }] = first!.linePos;
    return `${plain[0]} at line ${line}, column ${col}. ${plain[1]}`;
  }
  // The other lines of the message show an excerpt of the text.
  return first!.message.split('\n', 1)[0]!.replace(/:$/, '.');
}

/**
 * The most frequent errors. Each entry contains the package's error code, the start of its message, a clearer
 * description of the error, and advice.
 */
const PLAIN: [code: string, message: RegExp, wrong: string, advice: string][] = [
  [
    'BLOCK_AS_IMPLICIT_KEY',
    /^Nested mappings/,
    'a value contains ": "',
    'Put the value in quotes, or write its keys on separate lines.',
  ],
  ['TAB_AS_INDENT', /^/, 'a line is indented with a tab', 'Use spaces.'],
  [
    'BAD_INDENT',
    /^All (?:mapping|sequence) items/,
    'a line is indented differently from the lines beside it',
    'Indent them equally.',
  ],
  [
    'BAD_INDENT',
    /^Flow sequence/,
    'a list has no closing ]',
    'Add the ], and indent the lines of the list.',
  ],
  [
    'BAD_INDENT',
    /^Flow map/,
    'an object has no closing }',
    'Add the }, and indent the lines of the object.',
  ],
  ['DUPLICATE_KEY', /^/, 'a key occurs twice', 'Rename or remove one of them.'],
  [
    'MISSING_CHAR',
    /^Implicit map keys/,
    'a key has no value',
    'Add a colon and a space after the key.',
  ],
  [
    'MULTILINE_IMPLICIT_KEY',
    /^Implicit keys/,
    'a line is not of the form "key: value"',
    'Check that a space follows its colon, and that "- " is indented.',
  ],
  [
    'UNEXPECTED_TOKEN',
    /^Unexpected scalar at node end/,
    'text follows a complete value',
    'Remove it, or put the whole value in quotes.',
  ],
];

/** Returns the description and the advice for an error, or undefined for a less frequent error. */
function plainReason({ code, message }: YAMLParseError): [string, string] | undefined {
  const known = PLAIN.find(([other, start]) => other === code && start.test(message));
  return known && [known[2], known[3]];
}
