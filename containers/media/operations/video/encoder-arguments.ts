/** Converts encoding settings to FFmpeg arguments. */

import type {
  AudioCodec,
  ChosenCodecs,
  VideoCodec,
  VideoFormat,
} from '../../../../src/tools/compress_video/video-formats.ts';
import { CORES } from '../../cores.ts';
import type { VideoFacts } from './probe.ts';
import { subtitleEncoder } from './subtitles.ts';

export interface VideoSettings extends ChosenCodecs {
  preset: 'ultrafast' | 'fast' | 'medium' | 'slow';
  /** `width:height`, where one value is -1. The default is the size of the source, limited to 720 lines. */
  scale?: string;
  crf: number;
  /** The audio bitrate, such as `128k`, or null if the result has no audio. */
  audioBitrate: string | null;
  fps?: string;
  /** Whether to return the input if the encoded video would be larger. */
  orInput?: boolean;
}

/** The codec names that ffprobe uses. */
export const CODEC_NAMES: Readonly<Record<VideoCodec | AudioCodec, string>> = {
  h264: 'h264',
  h265: 'hevc',
  vp9: 'vp9',
  av1: 'av1',
  aac: 'aac',
  mp3: 'mp3',
  opus: 'opus',
  vorbis: 'vorbis',
};

/** MP3 supports at most two audio channels, and Opus does not support all layouts with more. */
export const MAX_CHANNELS = 2;

const AUDIO_ENCODERS: Readonly<Record<AudioCodec, string>> = {
  aac: 'aac',
  mp3: 'libmp3lame',
  opus: 'libopus',
  vorbis: 'libvorbis',
};

/**
 * The speed settings of libvpx (`-cpu-used`) and SVT-AV1 (`-preset`), by x264 preset. Each takes about as long as the
 * x264 preset.
 */
const VP9_SPEED = { ultrafast: '5', fast: '4', medium: '2', slow: '1' };
const AV1_PRESET = { ultrafast: '12', fast: '10', medium: '8', slow: '6' };

const MUXERS = { mp4: 'mp4', webm: 'webm', avi: 'avi', mkv: 'matroska', mov: 'mov' };

/** The maximum height in lines at the default scale. */
const DEFAULT_LINES = 720;

/**
 * Returns the width and height of the result. Encoders require even numbers. A derived side is rounded to the nearest
 * even number. If the video is not scaled, each odd side is reduced by one pixel.
 */
export function scaledSize(
  scale: string | undefined,
  source: VideoFacts,
): { width: number; height: number } {
  if (scale === undefined && source.height <= DEFAULT_LINES) {
    const shrunk = (length: number) => Math.max(2, 2 * Math.floor(length / 2));
    return { width: shrunk(source.width), height: shrunk(source.height) };
  }
  const [width = -1, height = -1] = (scale ?? `-1:${DEFAULT_LINES}`).split(':').map(Number);
  const even = (length: number) => Math.max(2, 2 * Math.round(length / 2));
  return width > 0
    ? { width, height: even((source.height * width) / source.width) }
    : { width: even((source.width * height) / source.height), height };
}

/** Returns all arguments between the input and the output. */
export function encoderArguments(settings: VideoSettings, source: VideoFacts): string[] {
  const { format, audioCodec, audioBitrate } = settings;
  const { width, height } = scaledSize(settings.scale, source);
  const rate = frameRate(settings, source);
  return [
    // The first video track that is not cover art is selected.
    ...['-map', '0:V:0', '-dn'],
    // Location and author are private, so global metadata is removed. Track languages are preserved.
    ...['-map_metadata:g', '-1'],
    ...['-vf', `scale=${width}:${height},${source.isHdr ? TONE_MAPPING : 'format=yuv420p'}`],
    ...videoEncoder(settings),
    ...(rate ? ['-r', rate] : []),
    ...(audioCodec && audioBitrate && source.audioCodec
      ? [
          '-map',
          `0:${source.audioTrack}`,
          ...audioEncoder(audioCodec, audioBitrate, source.channels),
        ]
      : ['-an']),
    ...subtitleArguments(format, source),
    ...(format === 'mp4' || format === 'mov' ? ['-movflags', '+faststart'] : []),
    ...['-f', MUXERS[format]],
  ];
}

/** Converts PQ and HLG to BT.709, because 8-bit video with an HDR transfer curve would look gray. */
const TONE_MAPPING = [
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
  'format=yuv420p',
].join(',');

function subtitleArguments(format: VideoFormat, { subtitles }: VideoFacts): string[] {
  const encodable = subtitles.flatMap((codec, track) => {
    const encoder = subtitleEncoder(codec, format);
    return encoder ? [{ track, encoder }] : [];
  });
  if (encodable.length === 0) return ['-sn'];
  return encodable.flatMap(({ track, encoder }, index) => [
    ...['-map', `0:s:${track}`],
    ...[`-c:s:${index}`, encoder],
  ]);
}

function videoEncoder({ videoCodec, preset, crf, format }: VideoSettings): string[] {
  const quality = ['-crf', String(crf)];
  switch (videoCodec) {
    case 'h264':
      return ['-c:v', 'libx264', '-preset', preset, ...quality];
    case 'h265': {
      // Apple's players require this tag.
      const tag = format === 'mp4' || format === 'mov' ? ['-tag:v', 'hvc1'] : [];
      return ['-c:v', 'libx265', '-preset', preset, ...quality, ...tag];
    }
    case 'vp9':
      return [
        ...['-c:v', 'libvpx-vp9', ...quality, '-b:v', '0', '-deadline', 'good'],
        ...['-cpu-used', VP9_SPEED[preset], '-row-mt', '1', '-tile-columns', '1'],
        ...['-threads', String(CORES)],
      ];
    case 'av1':
      return [
        ...['-c:v', 'libsvtav1', ...quality, '-preset', AV1_PRESET[preset]],
        ...['-svtav1-params', `lp=${CORES}`],
      ];
  }
}

function audioEncoder(codec: AudioCodec, bitrate: string, channels: number): string[] {
  return [
    ...['-c:a', AUDIO_ENCODERS[codec], '-b:a', bitrate],
    ...(channels > MAX_CHANNELS ? ['-ac', String(MAX_CHANNELS)] : []),
    // libvorbis accepts all bitrates only at this sample rate.
    ...(codec === 'vorbis' ? ['-ar', '48000'] : []),
  ];
}

/**
 * Returns the frame rate to set, or undefined to let FFmpeg choose. AVI requires a constant rate. For a source with a
 * variable rate, FFmpeg may guess a rate as high as 1,000.
 */
export function frameRate({ fps, format }: VideoSettings, source: VideoFacts): string | undefined {
  return fps ?? (format === 'avi' ? source.frameRate : undefined);
}
