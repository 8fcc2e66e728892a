/**
 * Compares encoding a video over HTTP with the ffmpeg program at the same settings. Both run at the lower priority of
 * the media worker's programs, which makes a difference on a busy machine.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, execute } from './compare.ts';
import type { Row } from './row.ts';
import { withService } from './service.ts';

const MAX_RATIO = 1.1;
/** The niceness of the media worker (lower-priority.ts). */
const NICENESS = 5;

export const videoRows = (): Promise<Row[]> =>
  withService(async (baseUrl, folder) => {
    const clip = join(folder, 'film.mp4');
    const ffmpeg = (...programArguments: string[]) =>
      execFileSync('nice', [
        ...['-n', String(NICENESS), 'ffmpeg', '-v', 'error', '-nostdin', '-y'],
        ...programArguments,
      ]);
    const image = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=8'];
    const sound = ['-f', 'lavfi', '-i', 'sine=d=8'];
    ffmpeg(...image, ...sound, '-c:v', 'libx264', '-b:v', '3M', '-c:a', 'aac', clip);
    const video = ['-vf', 'scale=-2:480,format=yuv420p', '-c:v', 'libx264', '-preset', 'medium'];
    const audio = ['-crf', '23', '-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart'];
    return [
      await compare(
        'compress_video, 8 s of 720p to 480p / ffmpeg',
        () =>
          execute(baseUrl, [
            ['tool', 'compress_video'],
            ['parameters', JSON.stringify({ scale: '-1:480' })],
            ['file', new Blob([readFileSync(clip)]), 'film.mp4'],
          ]),
        () => ffmpeg('-i', clip, ...video, ...audio, join(folder, 'out.mp4')),
        MAX_RATIO,
      ),
    ];
  });
