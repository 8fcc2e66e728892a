/** Creates small real files of common types that tools accept, and reads additional files from a given folder. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { PDF } from './seeds.ts';

export interface SeedFile {
  kind: 'pdf' | 'image' | 'video' | 'any';
  name: string;
  type: string;
  bytes: Buffer;
}

const MAX_BYTES = 2 * 2 ** 20;
const KINDS: Record<string, Pick<SeedFile, 'kind' | 'type'>> = {
  pdf: { kind: 'pdf', type: 'application/pdf' },
  mp4: { kind: 'video', type: 'video/mp4' },
  webm: { kind: 'video', type: 'video/webm' },
  txt: { kind: 'any', type: 'text/plain' },
  csv: { kind: 'any', type: 'text/csv' },
};
for (const format of ['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif', 'svg'])
  KINDS[format] = { kind: 'image', type: `image/${format === 'svg' ? 'svg+xml' : format}` };

const fileOf = (name: string, bytes: Buffer): SeedFile | undefined => {
  const kind = KINDS[name.split('.').at(-1)!.toLowerCase().replace('jpg', 'jpeg')];
  return kind && { name, bytes, ...kind };
};

/**
 * Returns the seed files.
 * @param folder contains additional files, such as a private corpus
 */
export async function seedFiles(folder?: string): Promise<SeedFile[]> {
  const made: [string, Buffer][] = [
    ['a.pdf', Buffer.from(PDF, 'latin1')],
    ['a.txt', Buffer.from('Some text.\nAnother line, é.\n')],
    ['a.csv', Buffer.from('a,b\n1,2\n')],
    [
      'a.svg',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/></svg>',
      ),
    ],
    ...(await images()),
    ...written(),
    ...(folder ? filesIn(folder) : []),
  ];
  return made.map(([name, bytes]) => fileOf(name, bytes)).filter((file) => file !== undefined);
}

async function images(): Promise<[string, Buffer][]> {
  const image = sharp({
    create: { width: 40, height: 60, channels: 3, background: 'teal' },
  }).extend({
    right: 40,
    background: 'orange',
  });
  const formats = ['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const;
  return Promise.all(
    formats.map(
      async (format) =>
        [`a.${format}`, await image.clone().toFormat(format).toBuffer()] as [string, Buffer],
    ),
  );
}

/** Uses Ghostscript, qpdf and FFmpeg to create two PDFs, one with object streams, and a video of five frames. */
function written(): [string, Buffer][] {
  const folder = mkdtempSync(join(tmpdir(), 'tools-seeds-'));
  const at = (name: string) => join(folder, name);
  const page = '/Helvetica 24 selectfont 72 700 moveto (A page) show showpage';
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', at('b.pdf'), '-c', `${page} ${page}`]);
  execFileSync('qpdf', ['--object-streams=generate', at('b.pdf'), at('c.pdf')]);
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=s=160x120:d=0.2',
    at('a.mp4'),
  ]);
  const files = readdirSync(folder).map((name): [string, Buffer] => [name, readFileSync(at(name))]);
  rmSync(folder, { recursive: true });
  return files;
}

const filesIn = (folder: string): [string, Buffer][] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        statSync(join(folder, name)).isFile() && statSync(join(folder, name)).size < MAX_BYTES,
    )
    .map((name) => [
      name.replace(/.*\//, '').replace(/["\\\r\n]/g, '_'),
      readFileSync(join(folder, name)),
    ]);
