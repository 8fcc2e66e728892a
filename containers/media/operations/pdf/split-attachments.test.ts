/** Tests that split_pdf drops the attachments of the document unless they are requested. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { book, emptyFolder, folder, operate, put } from './test-files.ts';

afterAll(emptyFolder);

const path = join(folder, 'attached.pdf');
const note = put('note.txt', 'A note');
run('qpdf', book('Alpha', 6), '--add-attachment', note, '--key=note', '--', path);

/** Returns the path of the first part, after checking the number of parts. */
async function firstPart(parts: number, attachments?: boolean): Promise<string> {
  const ranges = Array.from({ length: parts }, (_, at) => [[at + 1, at + 1]]);
  const result = await operate('split_pdf', { ranges, attachments }, [path]);
  if (parts === 1) return result.path;
  const directory = `${result.path}-content`;
  run('unzip', '-q', result.path, '-d', directory);
  return join(directory, 'pages-1.pdf');
}

describe.each([
  ['by qpdf', 1],
  ['by ourselves', 5],
])('split_pdf, into parts written %s', (_, parts) => {
  it('drops attachments', async () => {
    expect(run('qpdf', '--list-attachments', await firstPart(parts))).toMatch(/no embedded files/);
  });

  it('keeps them in each part on request', async () => {
    const part = await firstPart(parts, true);
    expect(run('qpdf', '--show-attachment=note', part)).toBe('A note');
    expect(run('qpdf', '--check', part)).toContain('No syntax');
  });
});
