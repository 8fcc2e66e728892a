/** Creates the files that the tests for individual pages upload. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { body, execute } from '../support/service.ts';

export interface Files {
  at(name: string): string;
  remove(): void;
}

export async function makeFiles(): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-site-'));
  const at = (name: string) => join(folder, name);
  const text = (word: string) => `/Helvetica 40 selectfont 72 400 moveto (${word}) show showpage`;
  for (const name of ['first.pdf', 'second.pdf']) {
    execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', at(name), '-c', text(name)]);
  }
  const page150 = ['-q', '-sDEVICE=png16m', '-r150', '-g900x1200', '-o', at('word.png')];
  execFileSync('gs', [...page150, '-c', text('Hello')]);
  await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .extend({ right: 200, background: 'orange' })
    .jpeg()
    .toFile(at('photo.jpg'));
  const { dataUrl } = await body(
    await execute('generate_qr_code', { text: 'https://example.com/', size: 400 }),
  );
  writeFileSync(at('code.png'), Buffer.from(dataUrl.split(',')[1], 'base64'));
  return { at, remove: () => rmSync(folder, { recursive: true }) };
}
