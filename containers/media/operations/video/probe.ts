/**
 * Reads a video's properties with ffprobe, which may use only demuxers for video formats and may open only this file.
 */
import { ProgramFailure } from '../../program-failure.ts';
import { runProgram } from '../../run-program.ts';
import type { OperationContext, OperationFile } from '../operation.ts';

const CEILING = { seconds: 20 };

/**
 * Options that precede every input. Without the list of formats, a playlist named .mp4 could make FFmpeg open other
 * files and URLs. The list of protocols alone does not prevent that.
 */
export const SAFE_INPUT = [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,ogg,asf',
];

/** Matches the pixel formats with an alpha channel. */
const ALPHA_FORMAT = /^(?:yuva|rgba|bgra|argb|abgr|gbrap|ya\d)/;

/** Matches demuxers whose formats declare the duration in the header. */
const SAYS_DURATION = /mov|matroska|avi|flv/;

export interface VideoFacts {
  /** The size of a displayed frame in pixels, after rotation. */
  width: number;
  height: number;
  /** The codec names that ffprobe uses. `audioCodec` is undefined if no audio track has a known codec. */
  videoCodec: string;
  audioCodec: string | undefined;
  /** The index, among all tracks, of the first audio track with a known codec. */
  audioTrack: number | undefined;
  channels: number;
  /** Frames per second as a fraction, such as `30000/1001`, or undefined if unknown. */
  frameRate: string | undefined;
  /**
   * The durations of the file, the video track and the first audio track, in seconds. Each is undefined if the file
   * does not declare it.
   */
  duration: number | undefined;
  videoDuration: number | undefined;
  audioDuration: number | undefined;
  /** The number of packets in the video track. Each packet contains a frame or part of one. */
  frames: number;
  /** The number of packets in the first audio track. */
  soundPackets: number;
  /** Whether the transfer curve is PQ or HLG. */
  isHdr: boolean;
  /** Whether frames have transparent pixels. WebM declares them in a tag, and other files in the pixel format. */
  hasAlpha: boolean;
  /** The subtitle formats in track order, as named by ffprobe. */
  subtitles: string[];
  /** The file's media type, such as `video/mp4`. */
  contentType: string;
  /** The number of other tracks by kind. */
  otherTracks: OtherTracks;
}

export interface OtherTracks {
  /** The number of audio tracks, except the one that `audioTrack` names. */
  sound: number;
  subtitles: number;
  /** The number of data tracks, attachments and additional video tracks, except cover art. */
  rest: number;
}

interface Format {
  format_name?: string;
  duration?: string;
  tags?: { major_brand?: string };
}

interface Stream {
  index: number;
  codec_type: string;
  codec_name?: string;
  width?: number;
  height?: number;
  channels?: number;
  avg_frame_rate?: string;
  r_frame_rate?: string;
  color_transfer?: string;
  pix_fmt?: string;
  duration?: string;
  nb_frames?: string;
  nb_read_packets?: string;
  tags?: Record<string, string>;
  disposition?: { attached_pic?: number };
  side_data_list?: { rotation?: number }[];
}

/**
 * Returns the properties, `audio` if the file has only audio, or null if it is not a readable video. Throws ToolError
 * or the signal's abort reason.
 */
export async function probe(
  { name, path }: Pick<OperationFile, 'name' | 'path'>,
  context: OperationContext,
): Promise<VideoFacts | 'audio' | null> {
  const programArguments = [
    // The header may declare any duration, so packets are counted. Files are small enough for that.
    ...['-v', 'error', '-count_packets', ...SAFE_INPUT],
    ...[
      '-show_entries',
      'format=format_name,duration:format_tags=major_brand:stream:stream_tags:stream_disposition:stream_side_data',
    ],
    ...['-of', 'json', `file:${path}`],
  ];
  try {
    const { stdout } = await runProgram('ffprobe', programArguments, {
      signal: context.signal,
      ...context.limit.within(CEILING),
      cwd: context.directory,
    });
    return facts(JSON.parse(stdout.toString('utf8')));
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    // FFmpeg also reports a lack of memory for a size field that is damaged.
    error.throwIfKilled(name);
    return null;
  }
}

function facts(told: { streams?: Stream[]; format?: Format }): VideoFacts | 'audio' | null {
  const { streams = [], format = {} } = told;
  const video = streams.find(
    (stream) => stream.codec_type === 'video' && !stream.disposition?.attached_pic,
  );
  const audio = streams.find((stream) => stream.codec_type === 'audio' && stream.codec_name);
  if (!video && audio) return 'audio';
  if (!video?.codec_name || !video.width || !video.height) return null;
  const rotation = video.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const upright = Math.abs(rotation) % 180 !== 90;
  const says = SAYS_DURATION.test(format.format_name ?? '');
  return {
    width: upright ? video.width : video.height,
    height: upright ? video.height : video.width,
    videoCodec: video.codec_name,
    audioCodec: audio?.codec_name,
    audioTrack: audio?.index,
    channels: audio?.channels ?? 0,
    frameRate: /^[1-9]\d*\/[1-9]\d*$/.exec(video.avg_frame_rate ?? '')?.[0],
    duration: says ? seconds(format.duration) : undefined,
    videoDuration: says ? trackDuration(video, format.format_name) : undefined,
    audioDuration: says && audio ? trackDuration(audio, format.format_name) : undefined,
    frames: Number(video.nb_read_packets ?? 0),
    soundPackets: Number(audio?.nb_read_packets ?? 0),
    hasAlpha: video.tags?.alpha_mode === '1' || ALPHA_FORMAT.test(video.pix_fmt ?? ''),
    isHdr: ['smpte2084', 'arib-std-b67'].includes(video.color_transfer ?? ''),
    subtitles: streams
      .filter((stream) => stream.codec_type === 'subtitle')
      .map((stream) => stream.codec_name ?? ''),
    contentType: mediaType(format, video),
    otherTracks: otherTracks(streams.filter((stream) => stream !== video && stream !== audio)),
  };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  avi: 'video/x-msvideo',
  mpegts: 'video/mp2t',
  mpeg: 'video/mpeg',
  flv: 'video/x-flv',
  ogg: 'video/ogg',
  asf: 'video/x-ms-wmv',
};

function mediaType({ format_name = '', tags }: Format, { codec_name = '' }: Stream): string {
  if (format_name.includes('mp4')) {
    return tags?.major_brand?.startsWith('qt') ? 'video/quicktime' : 'video/mp4';
  }
  if (format_name.includes('matroska')) {
    return /^(?:vp[89]|av1)$/.test(codec_name) ? 'video/webm' : 'video/x-matroska';
  }
  return MEDIA_TYPES[format_name] ?? 'application/octet-stream';
}

function otherTracks(streams: readonly Stream[]): OtherTracks {
  const count = (type: string) => streams.filter((stream) => stream.codec_type === type).length;
  const [sound, subtitles] = [count('audio'), count('subtitle')];
  const covers = streams.filter((stream) => stream.disposition?.attached_pic).length;
  return { sound, subtitles, rest: streams.length - sound - subtitles - covers };
}

/**
 * Returns the declared duration of a track in seconds. Matroska stores it in a tag, such as `00:01:02.003000000`. For a
 * Matroska track, FFmpeg reports the duration of the whole file. For a truncated AVI, FFmpeg reports an estimate, but
 * also the number of frames that the header declares.
 */
function trackDuration(stream: Stream, formatName = ''): number | undefined {
  if (formatName === 'avi' && stream.codec_type === 'video') {
    const [rate = 0, per = 1] = (stream.r_frame_rate ?? '').split('/').map(Number);
    return seconds(String((Number(stream.nb_frames) * per) / rate)) ?? seconds(stream.duration);
  }
  if (!formatName.includes('matroska')) return seconds(stream.duration);
  const tag = Object.entries(stream.tags ?? {}).find(([name]) => /^DURATION(?:-|$)/i.test(name));
  const [, hours, minutes, rest] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(tag?.[1] ?? '') ?? [];
  return rest === undefined
    ? undefined
    : seconds(String(Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)));
}

const seconds = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return text !== undefined && value > 0 ? value : undefined;
};
