import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { memoryFile } from '../../core/input-file.ts';
import type { MediaPort, StoragePort, StoreOptions } from '../../core/ports.ts';
import { compressVideo } from './compress_video.ts';

const EXPIRES_AT = '2026-12-01T00:00:00.000Z';
const clip = memoryFile('my clip.v2.mp4', new Uint8Array(9));

/**
 * Runs the tool. The returned object includes the parameters that the media worker received, and the options with which
 * the result was stored.
 */
async function run(parameters: Record<string, unknown>, files = [clip], meta = {}) {
  let requested: Record<string, unknown> = {};
  let stored: StoreOptions | undefined;
  const media: MediaPort = {
    run: async (_operation, params) => {
      requested = params;
      const body = new Blob(['result']);
      return {
        body: body.stream(),
        contentType: 'video/x',
        size: body.size,
        meta: { warnings: ['larger'], width: 640, height: 480, durationMs: 2000, ...meta },
      };
    },
  };
  const storage = {
    store: async (_body, options) => {
      stored = options;
      const { filename, contentType } = options;
      const link = { url: 'http://x/files/i', expiresAt: EXPIRES_AT, deleteToken: 't' };
      return { id: 'i', filename, contentType, size: 6, ...link };
    },
  } satisfies Partial<StoragePort> as unknown as StoragePort;
  const ran = await runTool(compressVideo, parameters, { files, ports: { media, storage } });
  return {
    value: ran.value,
    warnings: ran.warnings.filter((warning) => warning !== 'larger'),
    all: ran.warnings,
    requested,
    stored,
  };
}

const DEFAULTS = {
  preset: 'medium',
  crf: 23,
  audioBitrate: '128k',
  format: 'mp4',
  videoCodec: 'h264',
  audioCodec: 'aac',
  orInput: true,
};

describe('compress_video', () => {
  it('returns the stored result’s link and size, never the bytes', async () => {
    const { value, stored, all } = await run({});
    expect(value).toEqual({
      url: 'http://x/files/i',
      filename: 'my clip.v2.mp4',
      contentType: 'video/x',
      size: 6,
      expiresAt: EXPIRES_AT,
      width: 640,
      height: 480,
      durationMs: 2000,
      inputBytes: 9,
      deleteToken: 't',
    });
    expect(stored).toEqual({
      filename: 'my clip.v2.mp4',
      contentType: 'video/x',
      lifeSeconds: 86_400,
      caller: { address: '127.0.0.1' },
    });
    expect(all).toEqual(['larger']);
  });

  it('has these defaults and no warning', async () => {
    const { requested, warnings } = await run({});
    expect(requested).toEqual(DEFAULTS);
    expect(warnings).toEqual([]);
  });

  it('accepts every allowed value', async () => {
    const given = { preset: 'slow', scale: '640:-1', crf: 0, audioBitrate: '96k', fps: '30' };
    const codecs = { format: 'mkv', videoCodec: 'av1', audioCodec: 'vorbis' };
    const { requested, warnings } = await run({ ...given, ...codecs });
    expect(requested).toEqual({ ...given, ...codecs, orInput: false });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['preset', 'veryslow'],
    ['scale', '641:-1'],
    ['scale', '-1:-1'],
    ['crf', 52],
    ['crf', -1],
    ['crf', 23.5],
    ['crf', '23'],
    ['audioBitrate', '128'],
    ['audioBitrate', '128K'],
    ['audioBitrate', 128],
    ['format', 'gif'],
    ['videoCodec', 'mpeg2'],
    ['audioCodec', 'flac'],
    ['fps', '29.97'],
    ['fps', 'fast'],
    ['fps', 30],
    ['fps', '0'],
    ['fps', '1000'],
    ['removeAudio', 'yes'],
  ])('replaces the invalid %s %j with the default and warns', async (name, value) => {
    const { requested, warnings } = await run({ [name]: value });
    expect(requested).toEqual(DEFAULTS);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
    if (['fps', 'scale'].includes(name)) expect(warnings[0]).toMatch(/ was ignored\.$/);
  });

  it.each([
    { scale: '-1:720' },
    { crf: 24 },
    { format: 'mp4' },
    { videoCodec: 'h264' },
    { removeAudio: true },
  ])('does not return the input unchanged when %j was requested', async (parameters) => {
    expect((await run(parameters)).requested.orInput).toBe(false);
  });

  it('keeps the filename of an input that is returned unchanged', async () => {
    const { stored } = await run({}, [memoryFile('my clip.WEBM', new Uint8Array(9))], {
      isInput: true,
    });
    expect(stored?.filename).toBe('my clip.WEBM');
  });

  it('chooses codecs that fit the container, and a container that fits VP9', async () => {
    expect((await run({ format: 'webm' })).requested).toMatchObject({
      videoCodec: 'vp9',
      audioCodec: 'opus',
    });
    expect((await run({ videoCodec: 'vp9' })).requested).toMatchObject({ format: 'webm' });
    expect((await run({ format: 'webm' })).stored?.filename).toBe('my clip.v2.webm');
  });

  it('removes the sound', async () => {
    const { requested } = await run({ removeAudio: true, audioCodec: 'aac', format: 'webm' });
    expect(requested).toMatchObject({ audioCodec: null, audioBitrate: null });
  });

  it('clamps a bitrate to the codec’s range and warns', async () => {
    const { requested, warnings } = await run({ audioBitrate: '9999k' });
    expect(requested.audioBitrate).toBe('320k');
    expect(warnings).toEqual([expect.stringMatching(/^audioBitrate: .*320k/)]);
  });

  it.each([
    [{ format: 'webm', videoCodec: 'h264' }, 'videoCodec'],
    [{ format: 'mov', videoCodec: 'vp9' }, 'videoCodec'],
    [{ format: 'avi', videoCodec: 'h265' }, 'videoCodec'],
    [{ format: 'webm', audioCodec: 'aac' }, 'audioCodec'],
  ])('rejects the incompatible parameters %j', async (parameters, param) => {
    await expect(run(parameters)).rejects.toMatchObject({
      status: 400,
      param,
      message: expect.stringContaining('does not support'),
    });
  });

  it('rejects a video over 5 MB with 413, a missing file and an empty one', async () => {
    const sized = (size: number) => [{ ...clip, size }];
    await expect(run({}, sized(5 * 2 ** 20 + 1))).rejects.toMatchObject({
      status: 413,
      param: 'file',
    });
    await expect(run({}, sized(5 * 2 ** 20))).resolves.toBeDefined();
    await expect(run({}, [])).rejects.toMatchObject({ status: 400, param: 'file' });
    await expect(run({}, sized(0))).rejects.toMatchObject({ status: 400 });
  });
});
