import { expect, it } from 'vitest';
import type { ReferencePage } from '../../core/reference.ts';
import { withOffMarked } from './mark-off.ts';

const field = (name: string) => ({
  name,
  type: 'string',
  isRequired: true,
  fields: [],
  meaning: 'The name. Values: `merge_pdf`, `draft_email`.',
});

const page = {
  groups: [
    { title: 'Body', fields: [field('tool'), { ...field('toolChain'), fields: [field('tool')] }] },
  ],
  request: { fields: [{ name: 'tool', control: 'choice', values: ['merge_pdf', 'draft_email'] }] },
} as unknown as ReferencePage;

it('marks the tools that are off in fields named tool only', () => {
  const { groups, request } = withOffMarked(page, new Set(['draft_email']));
  const [tool, chain] = groups[0]!.fields;
  const text = 'The name. Values: `merge_pdf`, `draft_email` (off on this server).';
  expect(tool!.meaning).toBe(text);
  expect(chain!.meaning).toBe(field('toolChain').meaning);
  expect(chain!.fields[0]!.meaning).toBe(text);
  expect(request.fields[0]!.off).toEqual(['draft_email']);
});
