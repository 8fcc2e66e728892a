/** Prints HTML as PDF with Chromium. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHROMIUM_PATH } from '../../../scripts/chromium-path.ts';

/** Prints the page and returns the path of the PDF in `folder`. The next call overwrites the file. */
export function printed(folder: string, html: string, isTagged: boolean): string {
  const page = join(folder, 'page.html');
  const path = join(folder, 'page.pdf');
  writeFileSync(page, html);
  execFileSync(
    CHROMIUM_PATH,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer'],
      ...[`--user-data-dir=${join(folder, 'profile')}`, '--disable-background-networking'],
      ...(isTagged ? ['--export-tagged-pdf'] : ['--disable-pdf-tagging']),
      ...[`--print-to-pdf=${path}`, `file://${page}`],
    ],
    { stdio: 'ignore' },
  );
  return path;
}
