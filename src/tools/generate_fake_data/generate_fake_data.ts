/**
 * generate_fake_data: generates names, emails, addresses, phone numbers and users. The same arguments always return the
 * same results.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';

const MAX_COUNT = 100;

const toCount = (given: unknown) =>
  typeof given === 'number' ? Math.min(Math.max(Math.trunc(given), 1), MAX_COUNT) : given;

export const generateFakeData = defineTool({
  name: 'generate_fake_data',
  title: 'Generate fake data',
  shortName: 'Generate data',
  kind: 'data',
  icon: 'users',
  domain: 'dev',
  description:
    'Generates fictional test data: names, emails (example.com, .org, .net), US addresses, phones (555-0100 to 555-0199), or users with all four. The same arguments give the same records; a larger count extends a smaller one.',
  input: z.strictObject({
    type: z.enum(['name', 'email', 'address', 'phone', 'user']).describe('The kind of records.'),
    count: z
      .preprocess(toCount, z.number().min(1).max(MAX_COUNT).default(1))
      .describe('Number of records: truncated to an integer, clamped to 1-100.'),
  }),
  output: z.object({
    type: z.string().describe('The requested type.'),
    count: z.int().describe('Number of records.'),
    records: z
      .array(
        z.union([
          z.string(),
          z.object({
            name: z.string().describe('A full name.'),
            email: z.string().describe('An email address at a domain reserved for examples.'),
            address: z.string().describe('A postal address.'),
            phone: z.string().describe('A phone number.'),
          }),
        ]),
      )
      .describe('Strings, or objects if type is user.'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { type: 'user', count: 5 } },
  form: {
    type: {
      label: 'What do you need?',
      help: '',
      choices: {
        user: 'People with all details',
        name: 'Names',
        email: 'Email addresses',
        address: 'Postal addresses',
        phone: 'Phone numbers',
      },
    },
    count: { label: 'How many', help: 'Up to 100.', initial: 10 },
  },
  synonyms: ['dummy', 'test data', 'names', 'addresses', 'mock', 'csv', 'seed'],
  access: 'anyone',
  limits: [],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  async run({ type, count }) {
    // The records are loaded on the first call, because loading the lists takes 10 ms of CPU time.
    const { makeRecords } = await import('./records.ts');
    return json({ type, count, records: makeRecords(type, count) });
  },
});
