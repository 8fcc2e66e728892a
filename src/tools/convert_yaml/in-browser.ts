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
    const value = to === 'json' ? valueOfYaml(text) : valueOfJson(text);
    return json({
      formatted: to === 'json' ? (JSON.stringify(value, null, 2) ?? 'null') : stringify(value),
    });
  },
});

/** Returns the value of a single document, or an array of the values of several documents. */
function valueOfYaml(text: string): unknown {
  const documents = parseAllDocuments(text);
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

function valueOfJson(text: string): unknown {
  validJson(text, 'text');
  return JSON.parse(text);
}

/** Returns the first line of an error message. The other lines show an excerpt of the text. */
const firstLine = (message: string) => message.split('\n', 1)[0]!.replace(/:$/, '.');
