import { describe, expect, it } from 'vitest';
import { modelsOf } from '../../../test/support/models.ts';
import { runTool } from '../../../test/support/run-tool.ts';
import { Models } from '../../adapters/models.ts';
import { WorkersAi } from '../../adapters/workers-ai.ts';
import { ToolError } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import type { MediaPort, Ports } from '../../core/ports.ts';
import { generateImage } from './generate_image.ts';

/** A fake media worker that records its operations. */
class Recorder implements MediaPort {
  readonly operations: string[] = [];
  head: number[] = [];

  async run(operation: string, _: unknown, files: readonly InputFile[]) {
    this.operations.push(operation);
    this.head = [...(files[0]?.head.subarray(0, 3) ?? [])];
    const body = new Blob(['converted']);
    return { body: body.stream(), contentType: 'image/png', size: body.size, meta: {} };
  }
}

const run = (
  parameters: Record<string, unknown>,
  models: Ports['models'] = modelsOf('png'),
  media: MediaPort = new Recorder(),
) => runTool(generateImage, parameters, { ports: { models, media } });

describe('generate_image', () => {
  it('returns a single PNG as bytes in memory', async () => {
    const { file, headers } = await run({ prompt: 'a cat' });
    expect(file).toMatchObject({ contentType: 'image/png', filename: 'image.png' });
    expect(file.size).toBe((file.body as Uint8Array).byteLength);
    expect([...(file.body as Uint8Array).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(headers).toEqual({ 'X-Provider': 'openai' });
  });

  it('converts other image formats to PNG in the media worker', async () => {
    const media = new Recorder();
    const { file } = await run({ prompt: 'a cat' }, modelsOf('jpeg'), media);
    expect(media.operations).toEqual(['compress_image']);
    expect(media.head).toEqual([0xff, 0xd8, 0xff]);
    expect(file).toMatchObject({ contentType: 'image/png', size: 9 });
  });

  it('requires an account and allows 20 calls per hour', () => {
    expect(generateImage.access).toBe('account');
    expect(generateImage.limits).toEqual([{ calls: 20, per: 'hour', by: 'account' }]);
  });

  it('rejects a blank prompt, and over 2,000 characters in prompt or negativePrompt', async () => {
    for (const prompt of ['', ' \n', undefined, 3]) {
      await expect(run({ prompt })).rejects.toMatchObject({ status: 400, param: 'prompt' });
    }
    await run({ prompt: '🌍'.repeat(2000), negativePrompt: '🌍'.repeat(2000) });
    await expect(run({ prompt: 'x'.repeat(2001) })).rejects.toMatchObject({
      status: 400,
      param: 'prompt',
    });
    await expect(run({ prompt: 'x', negativePrompt: 'x'.repeat(2001) })).rejects.toMatchObject({
      status: 400,
      param: 'negativePrompt',
    });
  });

  it('sends negativePrompt only to a provider that supports it and warns if none did', async () => {
    const seen: unknown[] = [];
    const binding = {
      run: async (model: string, inputs: Record<string, unknown>) => {
        seen.push(inputs);
        if (model.includes('flux')) throw new Error('3040: No more data centers');
        return Uint8Array.fromBase64('iVBORw0KGgo');
      },
    };
    const wanted = { prompt: 'a cat', negativePrompt: 'dogs' };
    const { warnings } = await run(wanted, new Models([new WorkersAi(binding)]));
    expect(seen).toEqual([{ prompt: 'a cat' }, { prompt: 'a cat', negative_prompt: 'dogs' }]);
    expect(warnings).toEqual([]);
    expect((await run(wanted)).warnings.join()).toContain('negativePrompt was not used');
  });

  it('returns 422 with the reason if the provider refuses for safety', async () => {
    await expect(run({ prompt: 'behave:unsafe' })).rejects.toMatchObject({
      status: 422,
      code: 'tool_failed',
      message: expect.stringContaining('violence'),
    });
  });

  it('tries the next provider if one returns no image', async () => {
    await run({ prompt: 'a cat' }, modelsOf('not-an-image', 'error', 'empty', 'png'));
    for (const name of ['not-an-image', 'no-image', 'error', 'html']) {
      await expect(run({ prompt: 'a cat' }, modelsOf(name))).rejects.toMatchObject({ status: 502 });
    }
  });

  it('returns 502, not a caller’s error, if the image is damaged', async () => {
    const media = { run: () => Promise.reject(new ToolError('bad_request', 'damaged')) };
    await expect(run({ prompt: 'a cat' }, modelsOf('jpeg'), media)).rejects.toMatchObject({
      status: 502,
      code: 'tool_failed',
    });
    const away = { run: () => Promise.reject(new ToolError('internal', 'away', { status: 503 })) };
    await expect(run({ prompt: 'a cat' }, modelsOf('jpeg'), away)).rejects.toMatchObject({
      status: 503,
    });
  });

  it('returns 501 without a model', async () => {
    await expect(run({ prompt: 'a cat' }, modelsOf())).rejects.toMatchObject({
      status: 501,
      message: expect.stringContaining('MODEL_IMAGE'),
    });
  });
});
