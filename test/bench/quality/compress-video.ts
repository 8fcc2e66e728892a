/**
 * Compares compress_video at its default settings with `ffmpeg` at the same quality, by size and time. Both run at the
 * priority of the media worker's programs.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOperation } from '../../../containers/media/operations/test-operation.ts';
import { atLeast, atMost, type Row } from '../row.ts';

const MAX_TIME = 1.1;
/** The niceness of the media worker (lower-priority.ts). */
const NICENESS = '5';
const DEFAULTS = {
  preset: 'medium',
  crf: 23,
  format: 'mp4',
  videoCodec: 'h264',
  audioCodec: 'aac',
  audioBitrate: '128k',
  orInput: true,
};

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'];
const VP9 = [
  '-c:v',
  'libvpx-vp9',
  '-deadline',
  'realtime',
  '-cpu-used',
  '8',
  '-pix_fmt',
  'yuv420p',
];
const GRAIN = 'noise=alls=12:allf=t';

/** Test clips. Each has an FFmpeg source, encoder arguments typical of cameras or software, and a container format. */
const CLIPS: readonly (readonly [source: string, encoder: readonly string[], container: string])[] =
  [
    ['testsrc2=s=1280x720:r=25', [...H264, '-crf', '12'], 'mp4'],
    ['testsrc2=s=1920x1080:r=30', [...H264, '-crf', '14'], 'mov'],
    [`testsrc2=s=640x480:r=25,${GRAIN}`, [...H264, '-crf', '16'], 'mp4'],
    ['testsrc=s=854x480:r=50', [...H264, '-crf', '30'], 'mkv'],
    ['mandelbrot=s=640x360:r=25', [...H264, '-crf', '10'], 'mp4'],
    [`mandelbrot=s=720x1280:r=24,${GRAIN}`, [...H264, '-crf', '18'], 'mp4'],
    ['life=s=640x360:r=25:mold=10:ratio=0.1', [...H264, '-crf', '20'], 'mp4'],
    ['cellauto=s=640x360:r=25:rule=110', ['-c:v', 'mpeg4', '-q:v', '3'], 'avi'],
    ['gradients=s=1280x720:r=30:speed=0.05', [...H264, '-crf', '12'], 'mp4'],
    [`gradients=s=960x540:r=25:n=6,${GRAIN}`, ['-c:v', 'mpeg2video', '-q:v', '3'], 'mkv'],
    ['sierpinski=s=640x480:r=25', ['-c:v', 'libtheora', '-q:v', '8'], 'ogv'],
    ['smptehdbars=s=1920x1080:r=25', [...H264, '-crf', '12'], 'mp4'],
    ['rgbtestsrc=s=640x480:r=25,rotate=t', [...H264, '-crf', '18'], 'mp4'],
    ['yuvtestsrc=s=480x360:r=15', ['-c:v', 'flv', '-q:v', '4'], 'flv'],
    [
      'color=c=navy:s=1280x720:r=25,drawgrid=w=80:h=60:c=white,scroll=h=0.01',
      [...VP9, '-crf', '20', '-b:v', '0'],
      'webm',
    ],
    [`testsrc2=s=640x360:r=25,gblur=sigma=3,${GRAIN}`, [...VP9, '-b:v', '2M'], 'webm'],
    ['testsrc2=s=320x240:r=12', ['-c:v', 'wmv2', '-q:v', '4'], 'wmv'],
    ['mandelbrot=s=1024x768:r=25,hue=H=2*PI*t', ['-c:v', 'mjpeg', '-q:v', '4'], 'avi'],
    [
      'testsrc2=s=1280x720:r=60,zoompan=z=1+in/400:d=1:s=1280x720:fps=60',
      [...H264, '-crf', '16'],
      'mp4',
    ],
    ['life=s=1280x720:r=25:ratio=0.03,boxblur=2', [...H264, '-crf', '24'], 'mkv'],
  ];
const SECONDS = '1.5';

export async function compressVideoRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-quality-'));
  try {
    let [ourBytes, theirBytes, inputs, smaller] = [0, 0, 0, 0];
    let [ourTime, theirTime] = [0, 0];
    for (const [index, clip] of CLIPS.entries()) {
      const path = made(folder, index, clip);
      const bytes = readFileSync(path);
      const started = performance.now();
      const ran = await runOperation('compress_video', DEFAULTS, { name: path, bytes });
      const between = performance.now();
      const target = encodedByFfmpeg(path, join(folder, 'by-ffmpeg.mp4'));
      theirTime += (performance.now() - between) / 1000;
      ourTime += (between - started) / 1000;
      ourBytes += ran.bytes.length / 1024;
      theirBytes += statSync(target).size / 1024;
      inputs += bytes.length / 1024;
      if (ran.bytes.length <= bytes.length) smaller += 1;
    }
    const named = `compress_video, ${CLIPS.length} clips / ffmpeg -crf 23`;
    return [
      atMost(`${named}: bytes`, ourBytes, theirBytes, 1, 'kB'),
      atMost('… of the inputs', ourBytes, inputs, 1, 'kB'),
      atLeast('… clips that do not grow', smaller, CLIPS.length, 1, ''),
      atMost('… time', ourTime, theirTime, MAX_TIME, 's'),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function made(folder: string, index: number, [source, encoder, container]: (typeof CLIPS)[number]) {
  const path = join(folder, `clip-${index}.${container}`);
  const sound = index % 2 === 0 ? ['-f', 'lavfi', '-i', `sine=f=${220 + 40 * index}`] : [];
  ffmpeg('-f', 'lavfi', '-i', source, ...sound, '-t', SECONDS, ...encoder, path);
  return path;
}

function encodedByFfmpeg(path: string, target: string): string {
  const video = ['-vf', 'scale=-2:min(720\\,ih),format=yuv420p', '-c:v', 'libx264', '-crf', '23'];
  ffmpeg('-i', path, ...video, '-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', target);
  return target;
}

const ffmpeg = (...given: string[]) =>
  execFileSync('nice', ['-n', NICENESS, 'ffmpeg', '-v', 'fatal', '-nostdin', '-y', ...given]);
