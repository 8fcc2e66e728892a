import { describe, expect, it } from 'vitest';
import { MemoryCache } from '../../../test/support/memory-cache.ts';
import { modelsOf, saying } from '../../../test/support/models.ts';
import { runTool } from '../../../test/support/run-tool.ts';
import { generateText } from './generate_text.ts';

const run = (parameters: Record<string, unknown>, models = modelsOf(), cache = new MemoryCache()) =>
  runTool(generateText, parameters, { ports: { models, cache } });

const local = async (parameters: Record<string, unknown>) =>
  String((await run(parameters)).value.text);

async function requested(parameters: Record<string, unknown>): Promise<string> {
  const { value } = await run({ ...parameters, count: 1 }, modelsOf('echo'));
  return JSON.parse(String(value.text)).body.messages[1].content;
}

describe('generate_text', () => {
  it('returns only text, provider and cached', async () => {
    const { value, headers } = await run({ type: 'tea' }, saying('Green tea.'));
    expect(value).toEqual({ text: 'Green tea.', provider: 'openai', cached: false });
    expect(headers).toEqual({ 'X-Provider': 'openai', 'X-Finish-Reason': 'stop' });
  });

  it('returns a repeated request from the cache', async () => {
    const cache = new MemoryCache();
    await run({ type: 'tea' }, modelsOf('whole'), cache);
    const again = await run({ type: 'tea', length: 100, count: 1 }, modelsOf('whole'), cache);
    expect(again.value).toEqual({ text: 'not streamed', provider: 'openai', cached: true });
    expect((await run({ type: 'tea', length: 101 }, modelsOf('whole'), cache)).value.cached).toBe(
      false,
    );
  });

  it('passes an unknown type to the model as a hint', async () => {
    expect(await requested({ type: 'pirate talk' })).toContain('<kind>\npirate talk\n</kind>');
    await expect(run({ type: 'x'.repeat(201) })).rejects.toMatchObject({
      status: 400,
      param: 'type',
    });
    await expect(run({ type: 7 })).rejects.toMatchObject({ status: 400, param: 'type' });
  });

  it('passes length and count to the model, by default 100 and 1', async () => {
    expect(await requested({ type: 'tea' })).toContain(
      'Blocks: 1\nCharacters in a block: about 100\n',
    );
    expect(await requested({ type: 'tea', length: 50 })).toContain('about 50\n');
    const { warnings } = await run({ length: 'long', count: 1000 });
    expect(warnings.slice(0, 2)).toEqual([
      'length: "long" was replaced by 100.',
      'count: 1000 was replaced by 100.',
    ]);
  });

  it('separates the blocks with newlines, without numbers', async () => {
    const blocks = async (answer: string) =>
      (await run({ type: 'tea', count: 3 }, saying(answer))).value.text;
    for (const answer of [
      'a\n\nb\n\n\nc',
      '1. a\n2. b\n3. c',
      'Here are three blocks:\n\na\nb\nc',
    ]) {
      expect(await blocks(answer)).toBe('a\nb\nc');
    }
  });

  it('requests at most 1,500 tokens', async () => {
    const { value } = await run({ type: 'tea' }, modelsOf('echo'));
    expect(JSON.parse(String(value.text)).body.max_tokens).toBe(1500);
  });
});

describe('generate_text without a model', () => {
  it('reports the provider “local” and caches nothing', async () => {
    const cache = new MemoryCache();
    const { value, headers } = await run({ type: 'lorem' }, modelsOf('echo'), cache);
    expect(value).toMatchObject({ provider: 'local', cached: false });
    expect(headers).toEqual({ 'X-Provider': 'local', 'X-Finish-Reason': 'stop' });
    expect(cache.entries.size).toBe(0);
  });

  it.each([{}, { type: ' ' }, { type: 'random' }, { type: 'Sentence' }])(
    'calls no model when it needs none: %j',
    async (parameters) => {
      const { value, warnings } = await run(parameters, modelsOf('error'));
      expect(value.provider).toBe('local');
      expect(warnings).toEqual([]);
    },
  );

  it('returns 501 with the variables’ names for a hint, or the models’ failure', async () => {
    await expect(run({ type: 'pirate talk' })).rejects.toMatchObject({
      status: 501,
      message: expect.stringContaining('MODEL_TEXT'),
    });
    await expect(run({ type: 'pirate talk' }, modelsOf('limited'))).rejects.toMatchObject({
      status: 503,
      retryAfter: 7,
    });
  });

  it('starts lorem with the classic words', async () => {
    expect(await local({ type: 'lorem' })).toMatch(/^Lorem ipsum dolor sit amet/);
    expect(await local({ type: 'Lorem' })).toMatch(/^Lorem ipsum dolor sit amet/);
  });

  it.each(['lorem', 'random', 'sentence'])(
    'returns blocks of %s of about the requested length',
    async (type) => {
      for (const length of [60, 100, 400, 1000]) {
        const blocks = (await local({ type, length, count: 4 })).split('\n');
        expect(blocks).toHaveLength(4);
        for (const block of blocks) {
          expect(Math.abs(block.length - length)).toBeLessThan(60);
          expect(block).toMatch(/^[A-Z].*\.$/);
        }
      }
      expect((await local({ type, length: 1 })).length).toBeGreaterThan(1);
    },
  );

  it('returns different text each time if it is random', async () => {
    expect(await local({ type: 'random' })).not.toBe(await local({ type: 'random' }));
  });

  it('stops at about 1,500 tokens with a warning', async () => {
    const { value, headers, warnings } = await run({ length: 1000, count: 50 });
    expect(String(value.text).length).toBeGreaterThan(5900);
    expect(String(value.text).length).toBeLessThanOrEqual(6000);
    expect(headers['X-Finish-Reason']).toBe('length');
    expect(warnings.join()).toContain('cut off');
  });
});
