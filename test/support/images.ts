/** Draws images of a given size with FFmpeg. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first bytes of every PNG. A file with nothing else is a damaged image. */
export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Draws an image. The file extension selects the format. */
export function drawImage(folder: string, name: string, width: number, height: number): Buffer {
  const path = join(folder, name);
  const codec = name.endsWith('.avif') ? ['-c:v', 'libaom-av1', '-cpu-used', '8'] : [];
  execFileSync('ffmpeg', [
    ...[
      '-nostdin',
      '-loglevel',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      `testsrc=s=${width}x${height}`,
    ],
    ...['-frames:v', '1', ...codec, path],
  ]);
  return readFileSync(path);
}

/** Makes an ICO file with entries of these sizes, without image data. */
export function icoOf(...sizes: [number, number][]): Buffer {
  const header = Buffer.from([0, 0, 1, 0, sizes.length, 0]);
  const entries = sizes.map(([width, height]) => {
    const entry = Buffer.alloc(16);
    entry[0] = width % 256;
    entry[1] = height % 256;
    return entry;
  });
  return Buffer.concat([header, ...entries]);
}
