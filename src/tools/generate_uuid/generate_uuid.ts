/** generate_uuid: generates random UUIDs (RFC 9562) and ULIDs in the browser. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const generateUuid = defineBrowserTool({
  name: 'generate_uuid',
  title: 'Generate UUIDs and ULIDs',
  shortName: 'Generate IDs',
  kind: 'data',
  icon: 'id-card',
  description:
    'Generates UUIDs of version 4 (random) or 7 (sorted by time), or ULIDs. It runs in the browser; no data is sent.',
  input: z.strictObject({
    kind: z.enum(['uuid-v4', 'uuid-v7', 'ulid']).default('uuid-v4').describe('The kind of ID.'),
    count: z.int().min(1).max(1000).default(5).describe('How many, 1 to 1,000.'),
  }),
  output: z.object({ text: z.string() }),
  example: { parameters: { kind: 'uuid-v7', count: 3 } },
  synonyms: ['guid', 'unique id', 'identifier', 'random id', 'primary key'],
  form: {
    kind: {
      label: 'Kind',
      help: '',
      choices: {
        'uuid-v4': 'UUID v4, random',
        'uuid-v7': 'UUID v7, sorted by time',
        ulid: 'ULID, sorted by time',
      },
    },
    count: { label: 'How many', help: 'Up to 1,000.' },
  },
  isRandom: true,
});
