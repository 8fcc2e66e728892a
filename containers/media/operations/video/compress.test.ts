/** Tests compress_video on videos made with FFmpeg. The results are inspected with ffprobe. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  AUDIO_CODECS,
  type AudioCodec,
  CONTAINERS,
  encodableBitrate,
  VIDEO_FORMATS,
} from '../../../../src/tools/compress_video/video-formats.ts';
import { covering } from '../../../../test/support/matrix.ts';
import { programsLeft, run, runOperation } from '../test-operation.ts';
import { CODEC_NAMES } from './encoder-arguments.ts';

const folder = mkdtempSync(join(tmpdir(), 'video-tests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const ffmpeg = (...programArguments: string[]) =>
  run('ffmpeg', '-v', 'error', '-y', ...programArguments);
const image = (size: string, seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=${size}:d=${seconds}:r=25`,
];
const sound = (seconds: number) => ['-f', 'lavfi', '-i', `sine=d=${seconds}`];

function video(name: string, ...programArguments: string[]): Buffer {
  ffmpeg(...programArguments, path(name));
  return readFileSync(path(name));
}

const clip = video(
  'clip.mp4',
  ...image('320x180', 1),
  ...sound(1),
  '-c:v',
  'libx264',
  '-c:a',
  'aac',
  '-movflags',
  '+faststart',
);

const longer = video(
  'longer.mp4',
  ...image('320x180', 4),
  '-c:v',
  'libx264',
  '-movflags',
  '+faststart',
);

/** A short video for tests that need only one frame. */
const brief = video('brief.mp4', ...image('320x180', 0.2), '-c:v', 'libx264');

/** A video with six audio channels. */
const surround = video(
  'six.mkv',
  ...[...image('320x180', 1), ...sound(1)],
  ...['-ac', '6', '-ar', '22050', '-c:v', 'libx264', '-c:a', 'ac3', '-ar', '48000'],
);

interface Looked {
  streams: {
    codec_type: string;
    codec_name: string;
    width?: number;
    height?: number;
    channels?: number;
    r_frame_rate: string;
    tags?: Record<string, string>;
  }[];
  format: { format_name: string; duration: string };
}

function look(bytes: Uint8Array): Looked {
  writeFileSync(path('looked'), bytes);
  return JSON.parse(
    run('ffprobe', '-v', 'error', '-show_streams', '-show_format', '-of', 'json', path('looked')),
  );
}

async function compress(
  settings: Record<string, unknown> = {},
  bytes: Buffer = clip,
  name = 'clip.mp4',
) {
  const defaults = {
    preset: 'ultrafast',
    scale: '-1:120',
    crf: 35,
    audioBitrate: '64k',
    orInput: false,
    format: 'mp4',
    videoCodec: 'h264',
    audioCodec: 'aac',
  };
  const ran = await runOperation('compress_video', { ...defaults, ...settings }, { name, bytes });
  const { streams, format } = look(ran.bytes);
  const of = (type: string) => streams.find((stream) => stream.codec_type === type);
  return { ...ran, image: of('video'), sound: of('audio'), subtitles: of('subtitle'), format };
}

const PAIRS = covering(
  VIDEO_FORMATS.flatMap((format) =>
    CONTAINERS[format].video.flatMap((videoCodec) =>
      CONTAINERS[format].audio.map((audioCodec) => ({ format, videoCodec, audioCodec })),
    ),
  ).filter(
    // These pairs test each codec in one container and each container with one codec. ADR 15 covers all combinations.
    ({ format, videoCodec, audioCodec }) =>
      videoCodec === CONTAINERS[format].video[0] || audioCodec === CONTAINERS[format].audio[0],
  ),
);

describe('compress_video', () => {
  it.each(PAIRS)('makes a playable $format with $videoCodec and $audioCodec', async (pair) => {
    const result = await compress(pair);
    expect(result.image?.codec_name).toBe(CODEC_NAMES[pair.videoCodec]);
    expect(result.sound?.codec_name).toBe(CODEC_NAMES[pair.audioCodec]);
    expect(result.contentType).toBe(CONTAINERS[pair.format].contentType);
    expect(Number(result.format.duration)).toBeCloseTo(1, 0);
    expect(run('ffmpeg', '-v', 'warning', '-i', path('looked'), '-f', 'null', '-')).toBe('');
  });

  it.each([
    ['320:-1', 320, 180],
    ['-1:240', 426, 240],
    ['854:-1', 854, 480],
    ['-1:720', 1280, 720],
  ])('scales to %s, with the other side derived and even', async (scale, width, height) => {
    expect((await compress({ scale }, brief)).image).toMatchObject({ width, height });
  });

  it('is smaller with a higher crf', async () => {
    const [fine, coarse] = [await compress({ crf: 10 }), await compress({ crf: 45 })];
    expect(coarse.bytes.length).toBeLessThan(fine.bytes.length / 2);
  });

  it('keeps the frame rate of the source, or uses the requested one', async () => {
    expect((await compress({}, brief)).image?.r_frame_rate).toBe('25/1');
    expect((await compress({ fps: '10' }, brief)).image?.r_frame_rate).toBe('10/1');
    const avi = await compress({ format: 'avi', audioCodec: 'mp3' }, brief);
    expect(avi.image?.r_frame_rate).toBe('25/1');
  });

  it('removes audio on request, and accepts a source without audio', async () => {
    expect((await compress({ audioCodec: null, audioBitrate: null })).sound).toBeUndefined();
    expect((await compress({}, brief)).sound).toBeUndefined();
    const removed = await compress({ audioCodec: null, audioBitrate: null }, surround);
    expect(removed.meta.warnings).toEqual([]);
  });

  it.each(AUDIO_CODECS)(
    'encodes six channels with the lowest and highest bitrate as %s',
    async (audioCodec: AudioCodec) => {
      for (const requested of ['0k', '99999k']) {
        const audioBitrate = encodableBitrate(requested, audioCodec);
        const result = await compress({ audioCodec, audioBitrate, format: 'mkv' }, surround);
        expect(result.sound).toMatchObject({ codec_name: audioCodec, channels: 2 });
        expect(result.meta.warnings).toContain('The 6 audio channels were converted to stereo.');
      }
    },
  );

  it('applies the display rotation', async () => {
    const turned = readFileSync(path('clip.mp4'));
    // The matrix of the track header (ISO 14496-12, section 8.3.2).
    turned.writeInt32BE(0, turned.indexOf('tkhd') + 44);
    turned.writeInt32BE(0x10000, turned.indexOf('tkhd') + 48);
    turned.writeInt32BE(-0x10000, turned.indexOf('tkhd') + 56);
    turned.writeInt32BE(0, turned.indexOf('tkhd') + 60);
    const result = await compress({ scale: '-1:240' }, turned);
    expect(result.image).toMatchObject({ width: 136, height: 240 });
  });

  it('accepts a Matroska file whose subtitles or second audio track outlast its video', async () => {
    writeFileSync(path('late.srt'), '1\n00:00:58,000 --> 00:01:00,000\nThe end\n');
    const encoded = ['-c:v', 'libx264', '-c:a', 'aac', '-c:s', 'srt'];
    const inputs = [...image('320x180', 2), ...sound(2)];
    const subtitled = video('late.mkv', ...inputs, '-i', path('late.srt'), ...encoded);
    const maps = ['-map', '0', '-map', '1', '-map', '2'];
    const second = video('second.mkv', ...inputs, ...sound(20), ...maps, ...encoded);
    for (const bytes of [subtitled, second]) {
      for (const audioCodec of ['aac', null]) {
        const settings = { audioCodec, format: 'avi', ...(audioCodec && { audioCodec: 'mp3' }) };
        const { format, meta } = await compress(settings, bytes, 'late.mkv');
        expect(Number(format.duration)).toBeCloseTo(2, 0);
        const told = JSON.stringify(meta.warnings);
        expect(told.includes('subtitles')).toBe(bytes === subtitled);
        expect(told.includes('except one')).toBe(bytes === second && audioCodec !== null);
      }
    }
  });

  it('removes damaged audio and keeps the video, with a warning', async () => {
    const damaged = Buffer.from(clip);
    const packets = ['-show_entries', 'packet=pos,size', '-of', 'json', path('clip.mp4')];
    const told = run('ffprobe', '-v', 'error', '-select_streams', 'a', ...packets);
    for (const { pos, size } of JSON.parse(told).packets)
      damaged.fill('?', Number(pos), Number(pos) + Number(size));
    const { sound: heard, image: seen, meta } = await compress({}, damaged);
    expect([heard, seen?.codec_name]).toEqual([undefined, 'h264']);
    expect(meta.warnings).toEqual([
      'The audio is damaged and was removed. Only the video was encoded.',
    ]);
  });

  it('keeps the first audio track with a known codec, and says which audio is removed', async () => {
    const inputs = [...image('320x180', 0.2), ...sound(1), ...sound(1)];
    const codecs = ['-c:v', 'libx264', '-c:a:0', 'flac', '-c:a:1', 'aac'];
    const written = video('two.mkv', ...inputs, '-map', '0', '-map', '1', '-map', '2', ...codecs);
    const unknown = Buffer.from(written.toString('latin1').replace('A_FLAC', 'A_ZZZZ'), 'latin1');
    const first = await compress({}, unknown, 'two.mkv');
    expect(first.sound?.codec_name).toBe('aac');
    expect(first.meta.warnings).toEqual(['Removed from the video: all audio tracks except one.']);
    const both = Buffer.from(unknown.toString('latin1').replace('A_AAC', 'A_ZZZ'), 'latin1');
    const { sound: heard, meta } = await compress({}, both, 'two.mkv');
    expect(heard).toBeUndefined();
    expect(meta.warnings).toEqual(['Removed from the video: audio in an unknown format.']);
  });

  it('removes the location where it was recorded', async () => {
    const location = ['-metadata', 'location=+48.2082+016.3738/', '-metadata', 'artist=SECRET'];
    const tagged = video('tagged.mov', '-i', path('clip.mp4'), '-c', 'copy', ...location);
    expect(tagged.includes('+48.2082') && tagged.includes('SECRET')).toBe(true);
    for (const format of ['mov', 'mkv']) {
      const { bytes } = await compress({ format }, tagged, 'tagged.mov');
      expect(bytes.includes('+48.2082') || bytes.includes('SECRET')).toBe(false);
    }
  });

  it.each([
    ['WebM, which declares it in a tag', 'alpha.webm', 'yuva420p', 'libvpx -auto-alt-ref 0'],
    ['MOV', 'alpha.mov', 'argb', 'qtrle'],
  ])('warns that transparency is removed from %s', async (_, name, pixels, encoder) => {
    const codec = ['-c:v', ...encoder.split(' '), '-pix_fmt', pixels];
    const { meta } = await compress({}, video(name, ...image('320x180', 0.2), ...codec));
    expect(meta.warnings).toContain('The transparency of the video was removed.');
  });

  it('reports its progress and warns of a larger result', async () => {
    const slow = video('slow.mp4', ...image('640x360', 4), '-c:v', 'libx264');
    const { progress } = await compress({ preset: 'slow', scale: '-1:720' }, slow);
    // A fast machine encodes the video between two reports, so only the last report is certain.
    expect(progress.length).toBeGreaterThan(0);
    expect(
      progress.every((fraction, index) => fraction >= (progress[index - 1] ?? 0) && fraction <= 1),
    ).toBe(true);
    const larger = { crf: 0, scale: '-1:240' };
    const { meta } = await compress(larger);
    expect(meta.warnings).toEqual([expect.stringMatching(/^The result is larger than the input/)]);
  });
});

describe('the default scale of compress_video', () => {
  it.each([
    ['320x180', 320, 180],
    ['1280x720', 1280, 720],
    ['1440x810', 1280, 720],
    ['323x181', 322, 180],
  ])('converts %s to %i x %i', async (size, width, height) => {
    const source = video(`size-${size}.mkv`, ...image(size, 0.2), '-c:v', 'ffv1');
    const { image: made } = await compress({ scale: undefined }, source, 'a.mkv');
    expect(made).toMatchObject({ width, height });
  });
});

describe('compress_video with defaults only', () => {
  it('returns an input that encoding would enlarge, with a warning', async () => {
    const settings = { scale: undefined, crf: 0, orInput: true };
    const { bytes, contentType, meta } = await compress(settings);
    expect(bytes.equals(clip)).toBe(true);
    expect(contentType).toBe('video/mp4');
    expect(meta).toMatchObject({
      isInput: true,
      warnings: [expect.stringMatching(/larger \(\d+ instead of \d+ bytes\)/)],
    });
    const smaller = await compress({ ...settings, crf: 45 });
    expect(smaller.bytes.length).toBeLessThan(clip.length);
    expect(smaller.meta).toMatchObject({ warnings: [] });
    expect(smaller.meta).not.toHaveProperty('isInput');
  });

  it.each([
    ['webm', 'video/webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime']],
    ['mkv', 'video/x-matroska', ['-c:v', 'libx264']],
    ['mov', 'video/quicktime', ['-c:v', 'libx264']],
    ['avi', 'video/x-msvideo', ['-c:v', 'mpeg4']],
  ])('returns a .%s as %s', async (extension, type, encoder) => {
    const source = video(`kept.${extension}`, ...image('320x180', 0.2), ...encoder);
    const settings = { scale: undefined, crf: 0, orInput: true };
    const { bytes, contentType } = await compress(settings, source, `a.${extension}`);
    expect([bytes.equals(source), contentType]).toEqual([true, type]);
  });
});

describe('compress_video keeps subtitles', () => {
  const subtitled = () => {
    writeFileSync(path('words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nGood morning\n');
    const inputs = ['-i', path('clip.mp4'), '-i', path('words.srt')];
    return video('words.mkv', ...inputs, '-c', 'copy', '-metadata:s:s:0', 'language=fra');
  };

  it.each([
    ['mp4', 'h264', 'aac', 'mov_text'],
    ['mov', 'h264', 'aac', 'mov_text'],
    ['mkv', 'h264', 'aac', 'subrip'],
    ['webm', 'vp9', 'opus', 'webvtt'],
  ])('in %s with their language', async (format, videoCodec, audioCodec, codec) => {
    const settings = { format, videoCodec, audioCodec };
    const { subtitles, meta } = await compress(settings, subtitled(), 'words.mkv');
    expect(subtitles).toMatchObject({ codec_name: codec, tags: { language: 'fra' } });
    expect(run('ffmpeg', '-v', 'error', '-i', path('looked'), '-f', 'srt', '-')).toContain(
      'Good morning',
    );
    expect(meta.warnings).toEqual([]);
  });

  it('except in avi, with a warning', async () => {
    const settings = { format: 'avi', audioCodec: 'mp3' };
    const { subtitles, meta } = await compress(settings, subtitled(), 'words.mkv');
    expect(subtitles).toBeUndefined();
    expect(meta.warnings).toEqual(['Removed from the video: subtitles.']);
  });
});

it.each(['smpte2084', 'arib-std-b67'])('compress_video converts %s to SDR', async (transfer) => {
  const colors = ['-color_primaries', 'bt2020', '-colorspace', 'bt2020nc', '-color_trc', transfer];
  const tags = `colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc:log-level=error`;
  const encoder = ['-pix_fmt', 'yuv420p10le', '-c:v', 'libx265', '-x265-params', tags];
  const source = video('hdr.mp4', ...image('320x180', 0.4), ...encoder, ...colors);
  const { image: made, meta } = await compress({ scale: undefined }, source, 'hdr.mp4');
  expect(made).toMatchObject({ pix_fmt: 'yuv420p', color_transfer: 'bt709' });
  expect(meta.warnings).toContain('The HDR video was converted to SDR.');
});

/**
 * Makes a MOV file whose frames are in the file `target`. It refers to that file by an alias, the only form of
 * reference that FFmpeg's mov_read_dref supports.
 */
function referringTo(target: string): Buffer {
  const source = video('own.mov', ...image('64x64', 0.4), '-c:v', 'mpeg4');
  const name = target.padEnd(target.length + (target.length % 2), '\0');
  const alias = Buffer.concat([
    Buffer.from('\0\0\0\0alis'),
    Buffer.alloc(4 + 150),
    Buffer.from([0, 2, 0, name.length]),
    Buffer.from(name),
    Buffer.from([0xff, 0xff, 0, 0]),
  ]);
  alias.writeUInt32BE(alias.length);
  const reference = source.indexOf('url ', source.indexOf('dref')) - 4;
  const made = Buffer.concat([
    source.subarray(0, reference),
    alias,
    source.subarray(reference + 12),
  ]);
  for (const box of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const size = made.lastIndexOf(box, reference) - 4;
    made.writeUInt32BE(made.readUInt32BE(size) + alias.length - 12, size);
  }
  // The file's own frames are erased, so that any decoded frames come from the other file.
  return made.fill(0, made.indexOf('mdat') + 4, made.indexOf('moov') - 4);
}

describe('compress_video refuses', () => {
  const playlist = (): Buffer => {
    ffmpeg('-i', path('clip.mp4'), '-c', 'copy', '-f', 'hls', path('list.m3u8'));
    return readFileSync(path('list.m3u8'));
  };

  it.each([
    ['a playlist of other files', playlist],
    [
      'an ffmpeg list of files',
      () => Buffer.from(`ffconcat version 1.0\nfile ${path('clip.mp4')}\n`),
    ],
    ['a video whose frames are in another file', () => referringTo(path('own.mov'))],
    ['an image', () => video('picture.png', ...image('320x180', 1), '-frames:v', '1')],
    ['an audio file', () => video('sound.m4a', ...sound(1))],
    [
      'an audio file with a cover',
      () => {
        video('cover.png', ...image('64x64', 1), '-frames:v', '1');
        return video(
          'cover.mp3',
          ...sound(1),
          '-i',
          path('cover.png'),
          '-map',
          '0',
          '-map',
          '1',
          '-c:v',
          'copy',
          '-disposition:v',
          'attached_pic',
        );
      },
    ],
    ['text', () => Buffer.from('hello')],
    ['a video without its index', () => clip.subarray(0, 600)],
    ['a truncated video', () => longer.subarray(0, longer.length / 2)],
    [
      'a truncated AVI file',
      () => {
        const bytes = video('cut.avi', '-i', path('longer.mp4'), '-c:v', 'mpeg4');
        return bytes.subarray(0, bytes.length / 2);
      },
    ],
    [
      'a truncated Matroska file with subtitles',
      () => {
        writeFileSync(path('cut.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHere\n');
        ffmpeg('-i', path('longer.mp4'), '-i', path('cut.srt'), '-c:v', 'copy', path('cut.mkv'));
        const bytes = readFileSync(path('cut.mkv'));
        return bytes.subarray(0, bytes.length / 2);
      },
    ],
  ])('%s, naming the file', async (_, make) => {
    await expect(compress({}, make(), 'bad.mp4')).rejects.toMatchObject({
      status: 400,
      param: 'file',
      message: expect.stringContaining('"bad.mp4"'),
    });
  });

  it('audio, saying that the file has no video', async () => {
    const bytes = video('only.m4a', ...sound(1));
    await expect(compress({}, bytes, 'only.m4a')).rejects.toMatchObject({
      status: 400,
      message: '"only.m4a" contains only audio. Send a file with a video track.',
    });
  });

  it('frames beyond 8K as input and output with 413', async () => {
    const wide = video('wide.mkv', ...image('8400x16', 0.2), '-c:v', 'ffv1');
    await expect(compress({}, wide)).rejects.toMatchObject({ status: 413, param: 'file' });
    const thin = video('thin.mkv', ...image('1600x16', 0.2), '-c:v', 'ffv1');
    await expect(compress({ scale: '-1:240' }, thin)).rejects.toMatchObject({
      status: 413,
      param: 'scale',
    });
  });

  it('to continue after the caller disconnects, and leaves no process', async () => {
    const leaving = new AbortController();
    const long = video(
      'long.mp4',
      ...image('320x180', 20),
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
    );
    const settings = {
      preset: 'slow',
      scale: '-1:720',
      crf: 23,
      audioBitrate: null,
      format: 'mp4',
      videoCodec: 'av1',
      audioCodec: null,
    };
    const call = runOperation(
      'compress_video',
      settings,
      { name: 'a.mp4', bytes: long },
      leaving.signal,
    );
    call.catch(() => undefined);
    await expect.poll(() => programsLeft().length).toBeGreaterThan(0);
    leaving.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    // The kernel terminates a killed process group asynchronously.
    await expect.poll(programsLeft).toEqual([]);
  });
});
