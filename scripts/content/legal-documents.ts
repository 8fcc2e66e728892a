/** Reads the templates of the legal pages, which the service fills with the operator's settings. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readFrontMatter } from './front-matter.ts';

const FOLDER = 'src/content/legal';

/**
 * Returns the templates by name: `privacy`, `terms`, `contact`. Throws if a template lacks a title or a description.
 */
export function readLegalDocuments() {
  return Object.fromEntries(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.md'))
      .map((name) => {
        const { fields, body } = readFrontMatter(readFileSync(join(FOLDER, name), 'utf8'));
        const { title, description } = fields;
        if (!title || !description) throw new Error(`${name} lacks a title or a description`);
        return [basename(name, '.md'), { title, description, markdown: body }];
      }),
  );
}
