/** Tests which codecs each container supports, and which codecs are the defaults. */
import { describe, expect, it } from 'vitest';
import {
  CONTAINERS,
  chooseCodecs,
  VIDEO_CODECS,
  VIDEO_FORMATS,
} from '../../../../src/tools/compress_video/video-formats.ts';

describe('the video containers', () => {
  it('provide defaults for codecs that are not requested', () => {
    const chosen = (requested: Parameters<typeof chooseCodecs>[0]) => chooseCodecs(requested);
    expect(chosen({})).toEqual({ format: 'mp4', videoCodec: 'h264', audioCodec: 'aac' });
    expect(chosen({ format: 'webm' })).toMatchObject({ videoCodec: 'vp9', audioCodec: 'opus' });
    expect(chosen({ format: 'avi' })).toMatchObject({ videoCodec: 'h264', audioCodec: 'mp3' });
    expect(chosen({ videoCodec: 'vp9' })).toMatchObject({ format: 'webm', audioCodec: 'opus' });
    expect(chosen({ videoCodec: 'vp9', audioCodec: 'aac' })).toMatchObject({ format: 'mp4' });
    expect(chosen({ audioCodec: null })).toMatchObject({ format: 'mp4', audioCodec: null });
  });

  it('refuse unsupported codecs, and name supported codecs and containers', () => {
    for (const format of VIDEO_FORMATS) {
      for (const videoCodec of VIDEO_CODECS) {
        const chosen = chooseCodecs({ format, videoCodec });
        const held = CONTAINERS[format].video.includes(videoCodec);
        expect('problem' in chosen).toBe(!held);
      }
    }
    expect(chooseCodecs({ format: 'webm', videoCodec: 'h264' })).toEqual({
      param: 'videoCodec',
      problem:
        'The container webm does not support h264. It supports vp9, av1; h264 works in mp4, avi, mkv, mov.',
    });
    expect(chooseCodecs({ format: 'mov', audioCodec: 'opus' })).toMatchObject({
      param: 'audioCodec',
    });
    expect(chooseCodecs({ format: 'webm', audioCodec: null })).not.toHaveProperty('problem');
  });
});
