import { expect, it } from 'vitest';
import { programsNote } from './programs-note.ts';

it('programsNote names the programs of the commands once, and none for curl alone', () => {
  expect(programsNote('```sh\ncurl -s {base_url}/health\n```\n')).toBe('');
  expect(programsNote('jq is a program.\n\n```text output\njq\n```\n')).toBe('');
  expect(
    programsNote('```sh\ncurl a | jq -r .url\nx=$(jq -r .id a.json)\nqpdf --check a.pdf\n```\n'),
  ).toBe(
    '<p class="soft">Besides curl, the commands need <code>jq</code> and <code>qpdf</code>.</p>',
  );
});
