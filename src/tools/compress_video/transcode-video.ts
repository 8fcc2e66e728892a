/**
 * transcode_video: the variant of compress_video for agents. It accepts a link, and runs only as a job, because 50 MB
 * of video can take minutes.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import { compressVideo } from './compress_video.ts';

const { resultView: _, ...upload } = compressVideo;
const { shape } = upload.input;

/** The fields of a job in an MCP result. */
export const jobResult = z.object({
  jobId: z.string(),
  status: z.string(),
  progress: z.number(),
  result: z.looseObject({}).optional(),
});

export const transcodeVideo = defineTool({
  ...upload,
  name: 'transcode_video',
  title: 'Transcode a video',
  description:
    'Re-encodes a video of up to 50 MB to shrink it or change its container and codecs. A job: while it is queued or ' +
    'running, wait for it with get_job. Unknown or out-of-range values become the defaults.',
  input: z.strictObject({
    ...shape,
    preset: shape.preset.describe('Slower gives smaller files.'),
    scale: shape.scale.describe('Width:height; -1 keeps the proportions.'),
    crf: shape.crf.describe('From 0 (best quality, largest file) to 51.'),
    audioBitrate: shape.audioBitrate.describe('Such as "96k".'),
    format: shape.format.describe('The container.'),
    videoCodec: shape.videoCodec.describe('webm takes vp9 and av1, mov h264 and h265.'),
    audioCodec: shape.audioCodec.describe('Default: the usual codec of the container.'),
    fps: shape.fps.describe('1 to 120, as a string.'),
    removeAudio: shape.removeAudio.describe('Remove the audio.'),
  }),
  output: jobResult,
  files: { ...upload.files!, maxBytes: MAX_FILE_BYTES, uploadOnly: false },
  limits: [{ calls: 5, per: 'hour', by: 'ip' }],
  surfaces: [],
});
