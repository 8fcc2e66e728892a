/** Reads front matter: YAML between two `---` lines at the start of a Markdown file. */
import { parse } from 'yaml';
import * as z from 'zod';

const FIELDS = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).default([]),
  publishedAt: z.iso.datetime().or(z.iso.date()).optional(),
  /** Earlier file names, without `.md`. Their URLs redirect to this document. */
  formerly: z.array(z.string()).default([]),
  updatedAt: z.iso.datetime().or(z.iso.date()).optional(),
});

export type FrontMatter = z.infer<typeof FIELDS>;

/** Returns the fields and the trimmed body. Throws if the front matter is not YAML or a field is invalid. */
export function readFrontMatter(text: string): { fields: FrontMatter; body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { fields: FIELDS.parse({}), body: text.trim() };
  const fields = FIELDS.parse(parse(match[1]!, { schema: 'core' }) ?? {});
  return { fields, body: text.slice(match[0].length).trim() };
}
