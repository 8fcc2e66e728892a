/** Implements compress_video, which re-encodes a video and verifies the result. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest, failed, tooLarge } from '../../../../src/core/errors.ts';
import { CONTAINERS } from '../../../../src/tools/compress_video/video-formats.ts';
import { CORES } from '../../cores.ts';
import { ProgramFailure } from '../../program-failure.ts';
import { runProgram } from '../../run-program.ts';
import { onlyFile } from '../only-file.ts';
import type { Operation, OperationContext, OperationFile } from '../operation.ts';
import { fileResult } from '../stored-result.ts';
import {
  CODEC_NAMES,
  encoderArguments,
  frameRate,
  MAX_CHANNELS,
  scaledSize,
  type VideoSettings,
} from './encoder-arguments.ts';
import { probe, SAFE_INPUT, type VideoFacts } from './probe.ts';
import { subtitleEncoder } from './subtitles.ts';

const CEILING = { seconds: 240, cores: CORES };
/**
 * The maximum CPU seconds for an encoder, per megapixel of the input's and the result's frames. x265 needed 0.8 for
 * noise with its slowest preset.
 */
const SECONDS_PER_MEGAPIXEL = 2;
/** The maximum CPU seconds for an encoder, per audio packet. A packet contains 20 to 60 ms of audio. */
const SECONDS_PER_SOUND_PACKET = 0.005;
/** The memory limit in bytes. The encoders need this much for 8K video. */
const MEMORY_BYTES = 4 * 1024 ** 3;
/** The maximum side length and area of a frame, in pixels. They allow 8K video. */
const MAX_SIDE = 8192;
const MAX_FRAME_PIXELS = 8192 * 4320;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

export const operation: Operation = {
  kind: 'video',
  timeLimitMs: (CEILING.seconds + 10) * 1000,
  async run(params, files, context) {
    const settings = params as unknown as VideoSettings;
    const file = onlyFile(files, 'compress_video');
    const source = await readSource(file, settings, context);
    const path = join(context.directory, `output.${settings.format}`);
    context.limit.allow(encodingSeconds(settings, source));
    await encode(file, path, settings, source, context);
    const { size } = await stat(path);
    const result = await verify(file, path, size, settings, source, context);
    if (settings.orInput && size > file.size) {
      const warnings = [
        `Encoding would make this video larger (${size} instead of ${file.size} bytes), so the input was returned unchanged, including its metadata.`,
      ];
      const { contentType } = source;
      const meta = { warnings, isInput: true, ...shapeOf(source) };
      return fileResult({ contentType, path: file.path, size: file.size, meta });
    }
    return fileResult({
      contentType: CONTAINERS[settings.format].contentType,
      path,
      size,
      meta: {
        warnings: [...lossWarnings(settings, source, result), ...sizeWarning(file.size, size)],
        ...shapeOf(result),
      },
    });
  },
};

const shapeOf = ({ width, height, duration }: VideoFacts) => ({
  width,
  height,
  ...(duration !== undefined && { durationMs: Math.round(duration * 1000) }),
});

/** Warns about losses compared to the input, except audio that was removed on request. */
function lossWarnings(
  { audioCodec, format }: VideoSettings,
  { otherTracks, subtitles, isHdr, hasAlpha, channels, ...source }: VideoFacts,
  result: VideoFacts,
): string[] {
  const lost = subtitles.filter((codec) => !subtitleEncoder(codec, format)).length;
  const tracks = [
    ...(otherTracks.sound > 0 && audioCodec
      ? [source.audioCodec ? 'all audio tracks except one' : 'audio in an unknown format']
      : []),
    ...(lost > 0 ? [lost < subtitles.length ? `subtitle tracks (${lost})` : 'subtitles'] : []),
    ...(otherTracks.rest > 0 ? ['other video, data or attachment tracks'] : []),
  ];
  return [
    ...(tracks.length === 0 ? [] : [`Removed from the video: ${tracks.join(' and ')}.`]),
    ...(audioCodec && source.audioCodec && !result.audioCodec
      ? ['The audio is damaged and was removed. Only the video was encoded.']
      : []),
    ...(hasAlpha ? ['The transparency of the video was removed.'] : []),
    ...(isHdr ? ['The HDR video was converted to SDR.'] : []),
    ...(result.audioCodec && channels > MAX_CHANNELS
      ? [`The ${channels} audio channels were converted to stereo.`]
      : []),
  ];
}

/** Warns if the result is larger than the input. */
const sizeWarning = (before: number, after: number): string[] =>
  after > before
    ? [
        `The result is larger than the input (${after} instead of ${before} bytes). ` +
          'Choose a higher crf, a smaller scale or a slower preset.',
      ]
    : [];

/** Reads the properties of the input. Throws ToolError 400, 413 or 422. */
async function readSource(
  file: OperationFile,
  settings: VideoSettings,
  context: OperationContext,
): Promise<VideoFacts> {
  const source = await probe(file, context);
  if (source === 'audio') {
    throw badRequest(`"${file.name}" contains only audio. Send a file with a video track.`, 'file');
  }
  if (!source) {
    throw badRequest(
      `"${file.name}" is not a readable video. Send a complete MP4, MOV, MKV, WebM, AVI, FLV, MPEG, OGV or WMV file.`,
      'file',
    );
  }
  const { width, height } = source;
  if (!fits(width, height)) {
    throw tooLarge(
      `"${file.name}" has frames of ${width} x ${height} pixels. The limit is 8192 x 4320.`,
      'file',
    );
  }
  const scaled = scaledSize(settings.scale, source);
  if (!fits(scaled.width, scaled.height)) {
    throw tooLarge(
      `At this scale the result would have ${scaled.width} x ${scaled.height} pixels. The limit is 8192 x 4320.`,
      'scale',
    );
  }
  return source;
}

const fits = (width: number, height: number) =>
  Math.max(width, height) <= MAX_SIDE && width * height <= MAX_FRAME_PIXELS;

async function encode(
  file: OperationFile,
  path: string,
  settings: VideoSettings,
  source: VideoFacts,
  context: OperationContext,
): Promise<void> {
  const programArguments = [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-progress', 'pipe:1', '-stats_period', '1'],
    ...[...SAFE_INPUT, '-i', `file:${file.path}`],
    ...encoderArguments(settings, source),
    ...['-fs', String(MAX_OUTPUT_BYTES), `file:${path}`],
  ];
  try {
    await runProgram('ffmpeg', programArguments, {
      signal: context.signal,
      ...context.limit.within(CEILING),
      memoryBytes: MEMORY_BYTES,
      cwd: context.directory,
      onOutput: (piece) => report(piece.toString('latin1'), source, context),
    });
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.lacksMemory) {
      throw failed(
        `Encoding "${file.name}" exceeds the memory limit. Choose a smaller scale or another codec.`,
      );
    }
    if (error.reason.startsWith(NOTHING_DECODED)) throw nothingToEncode(file);
    throw failed(
      error.exitCode === null
        ? `Encoding "${file.name}" was killed (${error.signal}). Try again.`
        : `"${file.name}" could not be encoded: ${error.reason}.`,
    );
  }
}

/**
 * Returns the CPU seconds that the slowest encoder may need. At a fixed frame rate, frames may be repeated to fill the
 * declared duration.
 */
function encodingSeconds(settings: VideoSettings, source: VideoFacts): number {
  const scaled = scaledSize(settings.scale, source);
  const megapixels = (source.width * source.height + scaled.width * scaled.height) / 1e6;
  const [rate = 0, per = 1] = (frameRate(settings, source) ?? '').split('/').map(Number);
  const frames = Math.max(source.frames, (source.duration ?? 0) * (rate / per));
  return (
    frames * megapixels * SECONDS_PER_MEGAPIXEL + source.soundPackets * SECONDS_PER_SOUND_PACKET
  );
}

/** Reads the `name=value` lines that FFmpeg's `-progress` writes. */
function report(text: string, source: VideoFacts, context: OperationContext): void {
  const microseconds = Number(/out_time_us=(\d+)/.exec(text)?.[1]);
  if (source.duration && microseconds > 0) {
    context.progress?.(Math.min(0.99, microseconds / 1e6 / source.duration));
  }
}

/**
 * Reads the properties of the result. Throws if they do not match the request, so that only verified results are
 * returned.
 */
async function verify(
  file: OperationFile,
  path: string,
  size: number,
  settings: VideoSettings,
  source: VideoFacts,
  context: OperationContext,
): Promise<VideoFacts> {
  if (size >= MAX_OUTPUT_BYTES) {
    throw failed(
      'The result would be larger than 256 MB. Choose a higher crf, a smaller scale or a lower fps.',
    );
  }
  const result = await probe({ name: file.name, path }, context);
  const { width, height } = scaledSize(settings.scale, source);
  const audio = settings.audioCodec && source.audioCodec ? CODEC_NAMES[settings.audioCodec] : null;
  // FFmpeg omits an audio track if it cannot decode any of it. The video is still useful.
  if (
    !result ||
    result === 'audio' ||
    result.videoCodec !== CODEC_NAMES[settings.videoCodec] ||
    result.width !== width ||
    result.height !== height ||
    (result.audioCodec ?? audio) !== audio
  ) {
    throw nothingToEncode(file);
  }
  const hasSound = result.audioCodec !== undefined;
  const expected = expectedDuration(source, hasSound);
  // The durations of the encoded tracks take precedence, because subtitles may be longer.
  const actual = expectedDuration(result, hasSound) ?? result.duration;
  if (expected && actual && actual < expected - Math.max(0.75, expected / 20)) {
    throw badRequest(
      `"${file.name}" is truncated or damaged: it declares ${expected.toFixed(1)} seconds, but only ${actual.toFixed(1)} could be read. Send the whole file.`,
      'file',
    );
  }
  return result;
}

/** Matches FFmpeg's report that no frame was decoded. */
const NOTHING_DECODED = 'Error marking filters as finished';

const nothingToEncode = (file: OperationFile) =>
  failed(`"${file.name}" contains nothing that can be encoded. It may be truncated or damaged.`);

/** Returns the duration of the selected tracks, or undefined if the source does not declare it. */
function expectedDuration(source: VideoFacts, hasSound: boolean): number | undefined {
  const { duration, videoDuration, audioDuration, audioCodec, otherTracks } = source;
  const durations = hasSound ? [videoDuration, audioDuration] : [videoDuration];
  const known = durations.filter((seconds) => seconds !== undefined);
  if (known.length === durations.length) return Math.max(...known);
  // The file is as long as its longest track, which the result may not contain.
  const { sound, subtitles, rest } = otherTracks;
  const hasOtherTracks = sound + subtitles + rest > 0 || (audioCodec !== undefined && !hasSound);
  return hasOtherTracks ? undefined : duration;
}
