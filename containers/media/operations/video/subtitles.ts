/** Lists the subtitles that each container can hold. */
import type { VideoFormat } from '../../../../src/tools/compress_video/video-formats.ts';

/** FFmpeg's names for text subtitle formats. Each of them can be converted to the others. */
const TEXT = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']);
/** The formats that Matroska stores unchanged. */
const MATROSKA = new Set(['subrip', 'ass', 'ssa', 'webvtt', 'dvd_subtitle', 'hdmv_pgs_subtitle']);

/**
 * Returns FFmpeg's encoder for a subtitle track in this container, or undefined if the container does not support it.
 */
export function subtitleEncoder(codec: string, format: VideoFormat): string | undefined {
  if (format === 'mkv' && MATROSKA.has(codec)) return 'copy';
  if (!TEXT.has(codec)) return undefined;
  return { mp4: 'mov_text', mov: 'mov_text', mkv: 'srt', webm: 'webvtt', avi: undefined }[format];
}
