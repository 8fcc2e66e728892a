/** compress_video: re-encodes a video with FFmpeg and stores it under a link for 24 hours. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import { MB, OUTPUT_LIFE_SECONDS } from '../../core/limits.ts';
import { json } from '../../core/tool-output.ts';
import { safeFilename, stemOf } from '../../lib/filename.ts';
import { imageKind } from '../../lib/image-kind.ts';
import { isPdf } from '../../lib/magic-bytes.ts';
import { textEncodingOf } from '../../web/text-bytes.ts';
import { deleteToken } from '../delete-token.ts';
import { videoFacts } from '../media-facts.ts';
import {
  AUDIO_CODECS,
  type ChosenCodecs,
  chooseCodecs,
  encodableBitrate,
  type RequestedCodecs,
  VIDEO_CODECS,
  VIDEO_FORMATS,
} from './video-formats.ts';

const SCALES = [
  '1920:-1',
  '1280:-1',
  '854:-1',
  '640:-1',
  '320:-1',
  '-1:1080',
  '-1:720',
  '-1:480',
  '-1:360',
  '-1:240',
] as const;
const DEFAULT_SCALE = '-1:720';
const MAX_FPS = 120;

export const compressVideo = defineTool({
  name: 'compress_video',
  title: 'Compress a video',
  shortName: 'Compress video',
  kind: 'media',
  icon: 'film',
  domain: null,
  description:
    'Re-encodes a video of at most 5 MB to shrink it or change its container and codecs, and returns a link ' +
    'that works for 24 hours. Send the video as multipart/form-data. Unknown or out-of-range values are replaced by the defaults.',
  input: z.strictObject({
    preset: z
      .enum(['ultrafast', 'fast', 'medium', 'slow'])
      .default('medium')
      .catch('medium')
      .describe('Encoder speed: slower gives smaller files.'),
    scale: z
      .enum(SCALES)
      .optional()
      .catch(undefined)
      .meta({ default: DEFAULT_SCALE })
      .describe(
        'Width:height of the result; -1 derives one side from the other. The default never enlarges the video; an explicit scale can.',
      ),
    crf: z
      .int()
      .min(0)
      .max(51)
      .default(23)
      .catch(23)
      .describe('Constant rate factor, from 0 (best quality, largest file) to 51.'),
    audioBitrate: z
      .string()
      .regex(/^\d+k$/)
      .default('128k')
      .catch('128k')
      .describe('Audio bitrate in kilobits per second, such as "96k".'),
    format: z
      .enum(VIDEO_FORMATS)
      .optional()
      .catch(undefined)
      .describe('The container. Default: mp4, or webm for vp9.'),
    videoCodec: z
      .enum(VIDEO_CODECS)
      .optional()
      .catch(undefined)
      .describe(
        'webm supports vp9 and av1, mov h264 and h265, avi all except h265. Default: h264, or vp9 for webm.',
      ),
    audioCodec: z
      .enum(AUDIO_CODECS)
      .optional()
      .catch(undefined)
      .describe(
        'webm supports opus and vorbis, avi and mov all except opus. Default: aac, or opus for webm and mp3 for avi.',
      ),
    fps: z
      .string()
      .regex(/^\d+$/)
      .refine((text) => Number(text) >= 1 && Number(text) <= MAX_FPS)
      .optional()
      .catch(undefined)
      .describe(
        `Frames per second, an integer from 1 to ${MAX_FPS} as a string. Default: the source rate.`,
      ),
    removeAudio: z.boolean().default(false).catch(false).describe('Remove the audio.'),
  }),
  output: z.object({
    url: z.string().describe('Link to the result; it works for 24 hours.'),
    size: z.int().describe('Size of the result in bytes.'),
    filename: z.string().describe('The name of the file.'),
    contentType: z.string().describe('The media type of the file.'),
    expiresAt: z.string().describe('When the link expires.'),
    width: z.int().optional().describe('In pixels.'),
    height: z.int().optional().describe('In pixels.'),
    durationMs: z.int().optional().describe('The length of the video in milliseconds.'),
    inputBytes: z.int().describe('Size of the input in bytes.'),
    deleteToken,
  }),
  files: {
    min: 1,
    max: 1,
    maxBytes: 5 * MB,
    kinds: ['any'],
    uploadOnly: true,
    check: refuseOthers,
  },
  example: { parameters: { preset: 'fast', scale: '-1:480' }, files: ['clip.mp4'] },
  form: {
    scale: {
      label: 'Size',
      help: 'At most 720p; a smaller video keeps its size.',
      choices: {
        '-1:1080': '1080p, Full HD',
        '-1:720': '720p, HD',
        '-1:480': '480p, for messages',
        '-1:360': '360p, slow networks',
        '-1:240': '240p, smallest file',
      },
    },
    crf: {
      label: 'Quality',
      help: '',
      choices: { 18: 'High', 23: 'Good', 28: 'Small file', 34: 'Smallest file' },
    },
    removeAudio: { label: 'Remove the sound', help: '' },
    preset: {
      label: 'Speed',
      help: '',
      choices: {
        ultrafast: 'Fastest, larger file',
        fast: 'Fast',
        medium: 'Balanced',
        slow: 'Slow, smaller file',
      },
      isAdvanced: true,
    },
    format: {
      label: 'Save as',
      help: '',
      unset: 'MP4',
      choices: { webm: 'WebM', mkv: 'MKV', mov: 'MOV', avi: 'AVI' },
      isAdvanced: true,
    },
    fps: {
      label: 'Frames per second',
      help: 'From 1 to 120. Leave empty to keep the original rate.',
      isAdvanced: true,
    },
    videoCodec: {
      label: 'Video codec',
      help: '',
      unset: 'Automatic',
      choices: { h264: 'H.264', h265: 'H.265', vp9: 'VP9', av1: 'AV1' },
      isAdvanced: true,
    },
    audioCodec: {
      label: 'Audio codec',
      help: '',
      unset: 'Automatic',
      choices: { aac: 'AAC', mp3: 'MP3', opus: 'Opus', vorbis: 'Vorbis' },
      isAdvanced: true,
    },
    audioBitrate: { label: 'Audio bitrate', help: 'For example 96k.', isAdvanced: true },
  },
  synonyms: ['shrink', 'smaller', 'reduce', 'mp4', 'gif', 'convert video', 'mute', 'clip'],
  access: 'anyone',
  limits: [{ calls: 10, per: 'hour', by: 'ip' }],
  isLong: true,
  surfaces: ['rest'],
  annotations: { readOnly: false, idempotent: false, openWorld: false, destructive: false },
  needs: ['media', 'storage'],
  check: codecsFor,
  async run(parameters, { files, media, storage, caller, signal, progress, warn }, chosen) {
    const { removeAudio: _, audioBitrate, ...image } = parameters;
    const bitrate = chosen.audioCodec && encodableBitrate(audioBitrate, chosen.audioCodec);
    if (bitrate && bitrate !== audioBitrate) {
      warn(
        `audioBitrate: ${chosen.audioCodec} does not support ${audioBitrate}; ${bitrate} was used.`,
      );
    }
    const input = files[0]!;
    const orInput = hasOnlyDefaults(parameters);
    const settings = { ...image, ...chosen, audioBitrate: bitrate, orInput };
    const result = await media.run('compress_video', settings, files, signal, progress);
    for (const warning of (result.meta.warnings ?? []) as string[]) warn(warning);
    const stored = await storage.store(
      { stream: result.body, size: result.size! },
      {
        filename: safeFilename(
          result.meta.isInput ? input.name : `${stemOf(input.name)}.${chosen.format}`,
        ),
        contentType: result.contentType,
        lifeSeconds: OUTPUT_LIFE_SECONDS,
        caller,
      },
    );
    const { id, ...link } = stored;
    const facts = { ...videoFacts(result.meta), inputBytes: input.size };
    return json({ ...link, ...facts }, { stored: id });
  },
});

const NO_CHOICE = { preset: 'medium', crf: 23, audioBitrate: '128k', removeAudio: false };

/** Whether the caller requested no size, codec or quality. Such a caller only needs a smaller video. */
const hasOnlyDefaults = (parameters: Record<string, unknown>) =>
  Object.entries(parameters).every(
    ([name, value]) => value === (NO_CHOICE as Record<string, unknown>)[name],
  );

/** Throws 400 for text, a PDF or an image other than AVIF and HEIC. FFmpeg checks all other files. */
function refuseOthers({ name, head }: InputFile): void {
  const kind = imageKind(head);
  const isStill = kind !== null && !['avif', 'heic'].includes(kind);
  if (!isStill && !isPdf(head) && textEncodingOf(head) === null) return;
  throw badRequest(
    `"${name}" is not a video. Send an MP4, MOV, MKV, WebM, AVI, FLV, MPEG, OGV or WMV file.`,
    'file',
  );
}

/** Returns the codecs of the output. Throws 400 if the requested container does not support the requested codecs. */
function codecsFor({
  removeAudio,
  ...requested
}: RequestedCodecs & { removeAudio: boolean }): ChosenCodecs {
  const chosen = chooseCodecs(removeAudio ? { ...requested, audioCodec: null } : requested);
  if ('problem' in chosen) throw badRequest(chosen.problem, chosen.param);
  return chosen;
}
