/** How the page of compress_video shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  scale: {
    label: 'Size',
    help: 'At 720p, a smaller video keeps its size.',
    choices: {
      '-1:1080': '1080p, Full HD',
      '-1:720': '720p, HD',
      '-1:480': '480p, for messages',
      '-1:360': '360p, for slow connections',
      '-1:240': '240p, as small as possible',
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
    help: 'From 1 to 120. Empty: as in the original.',
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
} satisfies FormFields;
