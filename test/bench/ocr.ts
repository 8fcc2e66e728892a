/** Compares OCR over HTTP with the tesseract program on the same image. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, execute } from './compare.ts';
import type { Row } from './row.ts';
import { withService } from './service.ts';

const MAX_RATIO = 1.1;
const LINES = 35;
const WORDS = 'The ship came into the harbour at noon with a cargo of salt and oranges';

export const ocrRows = (): Promise<Row[]> =>
  withService(async (baseUrl, folder) => {
    const image = join(folder, 'page.png');
    const lines = Array.from({ length: LINES }, (_, index) => {
      const words = WORDS.split(' ');
      const turned = [
        ...words.slice(index % words.length),
        ...words.slice(0, index % words.length),
      ];
      return `72 ${780 - index * 20} moveto (${turned.join(' ')}) show`;
    });
    const source = join(folder, 'page.ps');
    writeFileSync(source, `/Helvetica 13 selectfont ${lines.join(' ')} showpage`);
    const options = ['-q', '-sDEVICE=pnggray', '-r300', '-sPAPERSIZE=a4', '-o', image];
    execFileSync('gs', [...options, source]);
    const out = join(folder, 'page');
    const tesseract = ['-l', 'eng', '--oem', '1', '--psm', '1', 'txt', 'tsv'];
    return [
      await compare(
        'extract_text_ocr, A4 at 300 dpi / tesseract',
        () =>
          execute(baseUrl, [
            ['tool', 'extract_text_ocr'],
            ['file', new Blob([readFileSync(image)]), 'page.png'],
          ]),
        () =>
          execFileSync('tesseract', [image, out, ...tesseract], {
            env: { ...process.env, OMP_THREAD_LIMIT: '1' },
            stdio: 'ignore',
          }),
        MAX_RATIO,
      ),
    ];
  });
