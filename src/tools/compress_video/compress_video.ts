/** compress_video: a video encoded anew, by FFmpeg, stored under a link for 24 hours. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { MB, OUTPUT_LIFE_SECONDS } from '../../core/limits.ts';
import { json } from '../../core/tool-output.ts';
import { safeFilename, stemOf } from '../../lib/filename.ts';
import {
  type AskedCodecs,
  AUDIO_CODECS,
  type ChosenCodecs,
  chooseCodecs,
  encodableBitrate,
  VIDEO_CODECS,
  VIDEO_FORMATS,
} from '../../lib/video-formats.ts';

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
const MOST_FPS = 120;

export const compressVideo = defineTool({
  name: 'compress_video',
  title: 'Compress a video',
  shortName: 'Compress video',
  kind: 'media',
  icon: 'M3 6h12v12H3zM15 11l6-4v10l-6-4',
  domain: null,
  description:
    'Encodes a video of at most 5 MB anew, smaller and in the container and codecs asked for, and returns a link ' +
    'that lives 24 hours. Send the video as multipart/form-data. A setting that is out of range or unknown becomes its default.',
  input: z.strictObject({
    preset: z
      .enum(['ultrafast', 'fast', 'medium', 'slow'])
      .default('medium')
      .catch('medium')
      .describe('How long the encoder may think: slower is smaller.'),
    scale: z
      .enum(SCALES)
      .default('-1:720')
      .catch('-1:720')
      .describe('Width:height of the result; -1 is derived from the other side.'),
    crf: z
      .int()
      .min(0)
      .max(51)
      .default(23)
      .catch(23)
      .describe('Constant rate factor: 0 is best and largest, 51 worst and smallest.'),
    audioBitrate: z
      .string()
      .regex(/^\d+k$/)
      .default('128k')
      .catch('128k')
      .describe('Kilobits a second of the sound, such as "96k".'),
    format: z
      .enum(VIDEO_FORMATS)
      .optional()
      .catch(undefined)
      .describe('The container; without it mp4, or webm for vp9.'),
    videoCodec: z
      .enum(VIDEO_CODECS)
      .optional()
      .catch(undefined)
      .describe(
        'webm holds vp9 and av1, mov h264 and h265, avi all but h265; without it h264, in webm vp9.',
      ),
    audioCodec: z
      .enum(AUDIO_CODECS)
      .optional()
      .catch(undefined)
      .describe(
        'webm holds opus and vorbis, avi and mov all but opus; without it aac, in webm opus, in avi mp3.',
      ),
    fps: z
      .string()
      .regex(/^\d+$/)
      .refine((text) => Number(text) >= 1 && Number(text) <= MOST_FPS)
      .optional()
      .catch(undefined)
      .describe(
        `Frames a second, a whole number from 1 to ${MOST_FPS} as a string; without it as the source has.`,
      ),
    removeAudio: z.boolean().default(false).catch(false).describe('Leave the sound out.'),
  }),
  output: z.object({
    url: z.string().describe('The link of the result; it lives 24 hours.'),
    size: z.int().describe('Bytes of the result.'),
  }),
  files: { min: 1, max: 1, maxBytes: 5 * MB, kinds: ['any'], uploadOnly: true },
  example: { parameters: { preset: 'fast', scale: '-1:480' }, files: ['clip.mp4'] },
  form: { crf: { label: 'Quality (CRF)' }, fps: { label: 'Frames per second' } },
  access: 'anyone',
  limits: [{ calls: 10, per: 'hour', by: 'ip' }],
  isLong: true,
  doors: ['rest'],
  annotations: { readOnly: false, idempotent: false, openWorld: false, destructive: false },
  needs: ['media', 'storage'],
  check: (parameters) => {
    codecsFor(parameters);
  },
  async run(parameters, { files, media, storage, caller, signal, progress, warn }) {
    const { removeAudio: _, audioBitrate, ...picture } = parameters;
    const chosen = codecsFor(parameters);
    const bitrate = chosen.audioCodec && encodableBitrate(audioBitrate, chosen.audioCodec);
    if (bitrate && bitrate !== audioBitrate) {
      warn(
        `audioBitrate: ${chosen.audioCodec} does not take ${audioBitrate}; ${bitrate} was used.`,
      );
    }
    const input = files[0]!;
    const settings = { ...picture, ...chosen, audioBitrate: bitrate };
    const result = await media.run('compress_video', settings, files, signal, progress);
    for (const warning of (result.meta.warnings ?? []) as string[]) warn(warning);
    const stored = await storage.store(
      { stream: result.body, size: result.size! },
      {
        filename: safeFilename(`${stemOf(input.name)}.${chosen.format}`),
        contentType: result.contentType,
        lifeSeconds: OUTPUT_LIFE_SECONDS,
        caller,
      },
    );
    return json({ url: stored.url, size: stored.size }, { stored: stored.id });
  },
});

/** Throws 400 where the container asked for cannot hold the codecs asked for. */
function codecsFor({
  removeAudio,
  ...asked
}: AskedCodecs & { removeAudio: boolean }): ChosenCodecs {
  const chosen = chooseCodecs(removeAudio ? { ...asked, audioCodec: null } : asked);
  if ('problem' in chosen) throw badRequest(chosen.problem, chosen.param);
  return chosen;
}
