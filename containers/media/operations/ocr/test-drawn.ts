/** Renders pages with Ghostscript for the OCR tests. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyTestFolder, makeTestFolder } from '../../../../test/support/test-folder.ts';
import { run } from '../test-operation.ts';

export const folder = makeTestFolder('ocr-tests');
export const emptyFolder = () => emptyTestFolder(folder);

export const LINES = [
  'Every page of this book was printed',
  'by hand in a small workshop that',
  'stood beside the river for many years',
  'before the great flood carried it',
  'away one cold morning in spring',
  'and left nothing but its chimney',
];

/** The text of the images in test-pages. */
export const ASIAN_LINES = {
  chi_sim: '春天来了，河边的树都绿了',
  jpn: '春になると川の木が緑になる',
  kor: '봄이 오면 나무가 푸르고 강물이 흐른다',
};

export const asianPage = (language: keyof typeof ASIAN_LINES) =>
  readFileSync(new URL(`test-pages/${language}.png`, import.meta.url));

type Size = readonly [width: number, height: number];

/** The size of a page in points. It is small, because OCR time grows with the area. */
export const SIZE: Size = [595, 384];
export const A4: Size = [595, 842];

/** Returns the PostScript of a page with these lines. The first line is 102 points below the top of the page. */
export const page = (...lines: string[]) =>
  `/Helvetica 24 selectfont ${lines
    .map(
      (line, index) =>
        `72 currentpagedevice /PageSize get 1 get ${102 + index * 40} sub moveto (${line}) show `,
    )
    .join('')} showpage `;

/** Renders PostScript with Ghostscript. */
export function drawn(device: string, postScript: string, size = SIZE, dpi = 150): Buffer {
  const path = join(folder, `drawn.${device}`);
  const source = join(folder, 'drawn.ps');
  writeFileSync(source, postScript);
  const [width, height] = size;
  const paper = [`-dDEVICEWIDTHPOINTS=${width}`, `-dDEVICEHEIGHTPOINTS=${height}`];
  const options = ['-q', `-sDEVICE=${device}`, `-r${dpi}`, ...paper, '-dPDFSETTINGS=/default'];
  run('gs', ...options, '-o', path, source);
  return readFileSync(path);
}

/** Returns the words without their line and paragraph breaks, which Tesseract guesses. */
export const words = (text: string) => text.split(/\s+/).join(' ').trim();
