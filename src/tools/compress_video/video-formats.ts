/** Defines the codecs that players support in each container. Every combination was tested with FFmpeg 5.1 (ADR 15). */

export const VIDEO_CODECS = ['h264', 'h265', 'vp9', 'av1'] as const;
export const AUDIO_CODECS = ['aac', 'mp3', 'opus', 'vorbis'] as const;
export const VIDEO_FORMATS = ['mp4', 'webm', 'avi', 'mkv', 'mov'] as const;

export type VideoCodec = (typeof VIDEO_CODECS)[number];
export type AudioCodec = (typeof AUDIO_CODECS)[number];
export type VideoFormat = (typeof VIDEO_FORMATS)[number];

interface Container {
  contentType: string;
  /** The video codecs. The first one is the default. */
  video: readonly VideoCodec[];
  audio: readonly AudioCodec[];
}

export const CONTAINERS: Readonly<Record<VideoFormat, Container>> = {
  mp4: { contentType: 'video/mp4', video: VIDEO_CODECS, audio: AUDIO_CODECS },
  webm: { contentType: 'video/webm', video: ['vp9', 'av1'], audio: ['opus', 'vorbis'] },
  // AVI can store H.265, but FFmpeg reads the stored video as raw images.
  avi: {
    contentType: 'video/x-msvideo',
    video: ['h264', 'vp9', 'av1'],
    audio: ['mp3', 'aac', 'vorbis'],
  },
  mkv: { contentType: 'video/x-matroska', video: VIDEO_CODECS, audio: AUDIO_CODECS },
  mov: {
    contentType: 'video/quicktime',
    video: ['h264', 'h265'],
    audio: ['aac', 'mp3', 'vorbis'],
  },
};

/** The range of bitrates that each encoder accepts, in kbit/s, for one and for two channels. */
const BITRATES: Readonly<Record<AudioCodec, readonly [least: number, most: number]>> = {
  aac: [16, 320],
  mp3: [32, 320],
  opus: [8, 256],
  vorbis: [64, 240],
};

export interface RequestedCodecs {
  format?: VideoFormat | undefined;
  videoCodec?: VideoCodec | undefined;
  /** The audio codec. Null means no audio. */
  audioCodec?: AudioCodec | null | undefined;
}

export interface ChosenCodecs {
  format: VideoFormat;
  videoCodec: VideoCodec;
  audioCodec: AudioCodec | null;
}

/**
 * Returns the requested codecs, with defaults for the others. If the format does not support one of them, returns the
 * problem and the parameter to change.
 */
export function chooseCodecs(
  requested: RequestedCodecs,
): ChosenCodecs | { problem: string; param: 'videoCodec' | 'audioCodec' } {
  const format = requested.format ?? formatFor(requested);
  const { video, audio } = CONTAINERS[format];
  const { videoCodec = video[0]!, audioCodec = audio[0]! } = requested;
  const refused = (codec: string, held: readonly string[], others: readonly string[]) =>
    `The container ${format} does not support ${codec}. It supports ${held.join(', ')}; ${codec} works in ${others.join(', ')}.`;
  if (!video.includes(videoCodec)) {
    const others = VIDEO_FORMATS.filter((name) => CONTAINERS[name].video.includes(videoCodec));
    return { problem: refused(videoCodec, video, others), param: 'videoCodec' };
  }
  if (audioCodec && !audio.includes(audioCodec)) {
    const others = VIDEO_FORMATS.filter((name) => CONTAINERS[name].audio.includes(audioCodec));
    return { problem: refused(audioCodec, audio, others), param: 'audioCodec' };
  }
  return { format, videoCodec, audioCodec };
}

/** Returns the default format, which is WebM for VP9 with a matching audio codec, and otherwise MP4. */
function formatFor({ videoCodec, audioCodec }: RequestedCodecs): VideoFormat {
  const fits = !audioCodec || CONTAINERS.webm.audio.includes(audioCodec);
  return videoCodec === 'vp9' && fits ? 'webm' : 'mp4';
}

/** Returns the nearest bitrate that the encoder supports, such as `128k`. */
export function encodableBitrate(audioBitrate: string, codec: AudioCodec): string {
  const [least, most] = BITRATES[codec];
  return `${Math.min(most, Math.max(least, Number.parseInt(audioBitrate, 10)))}k`;
}
