import { expect, it } from 'vitest';
import { TOOLS } from '../../tools/registry.ts';
import { searchWords } from './search-words.ts';

/** The tools that the search of the home page shows for a query, as client/home.ts finds them. */
const found = (query: string) =>
  TOOLS.filter((tool) => {
    const words = ` ${searchWords(tool, { summary: '', tags: [] }, '')}`;
    return query.split(' ').every((word) => words.includes(` ${word}`));
  }).map(({ name }) => name);

it.each([
  ['smaller', ['compress_image', 'compress_pdf', 'compress_video']],
  ['uppercase', ['convert_case']],
  ['shrink photo', ['compress_image']],
  ['crontab', ['explain_cron']],
  ['guid', ['generate_uuid']],
  ['favicon', ['fetch_site_logo']],
  ['diff', ['compare_text']],
  ['heic', ['compress_image']],
  ['delete pages', ['split_pdf']],
  ['epoch', ['convert_timestamp']],
  ['md5', ['hash_text']],
])('a search for %j finds %j', (query, names) => {
  expect(found(query)).toEqual(expect.arrayContaining(names));
});
