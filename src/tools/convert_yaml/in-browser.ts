/** Converts with the `yaml` package, because its error messages contain the line number. */
import { parseAllDocuments, stringify } from 'yaml';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { json } from '../../core/tool-output.ts';
import { validJson } from '../format_json/valid-json.ts';
import { convertYaml } from './convert_yaml.ts';

export const convertYamlHere = defineTool({
  ...convertYaml,
  run({ text, to }) {
    return json({ formatted: to === 'json' ? jsonOf(valueOfYaml(text)) : yamlOf(text) });
  },
});

/** Returns the value of a single document, or an array of the values of several documents. */
function valueOfYaml(text: string): unknown {
  const documents = parseAllDocuments(text, { merge: true, intAsBigInt: true });
  const values = [...documents].map(({ errors: [error], toJS }, index) => {
    if (error) throw badRequest(`The YAML is invalid: ${firstLine(error.message)}`, 'text');
    try {
      return toJS.call(documents[index]);
    } catch (cause) {
      throw badRequest(`The YAML is invalid: ${(cause as Error).message}.`, 'text');
    }
  });
  return values.length > 1 ? values : values[0];
}

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
  validJson(text, 'text');
  const exact = (_key: string, part: unknown, context?: { source?: string }): unknown =>
    typeof part === 'number' && !Number.isSafeInteger(part) && INTEGER.test(context?.source ?? '')
      ? BigInt(context!.source!)
      : part;
  return stringify(JSON.parse(text, exact), { compat: 'yaml-1.1' });
}

/** Returns the first line of an error message. The other lines show an excerpt of the text. */
const firstLine = (message: string) => message.split('\n', 1)[0]!.replace(/:$/, '.');
