/** convert_yaml: converts YAML to JSON and back, in the browser. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const convertYaml = defineBrowserTool({
  name: 'convert_yaml',
  title: 'YAML and JSON',
  shortName: 'Convert',
  kind: 'data',
  icon: 'arrow-left-right',
  description:
    'Converts YAML 1.2 to JSON, or JSON to YAML. Comments are lost; several documents become an array. It runs in the browser; no data is sent.',
  input: z.strictObject({
    text: z.string().describe('The YAML or JSON.'),
    to: z.enum(['json', 'yaml']).default('json').describe('The format of the result.'),
  }),
  output: z.object({ formatted: z.string().meta({ contentMediaType: 'application/yaml' }) }),
  example: { parameters: { text: 'name: Ada\nborn: 1815\ntags:\n  - maths\n  - engines\n' } },
  synonyms: ['yml', 'yaml to json', 'json to yaml', 'config', 'kubernetes', 'docker compose'],
  form: {
    text: { label: 'YAML or JSON', help: '', rows: 10, takesFile: true },
    to: { label: 'Convert to', help: '', choices: { json: 'JSON', yaml: 'YAML' } },
  },
});
