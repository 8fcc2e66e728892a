import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { provider } from '../../test/support/models.ts';
import type { TextRequest } from '../core/models-port.ts';
import { Models } from './models.ts';
import { type AiBinding, WorkersAi } from './workers-ai.ts';

const QUESTION: TextRequest = {
  system: 'Answer.',
  messages: [{ role: 'user', content: 'What is it?' }],
  maxTokens: 50,
};

type Answer = (
  inputs: Record<string, unknown>,
  options: { signal: AbortSignal },
) => unknown | Promise<unknown>;

/** A fake of the documented binding, with one answer per model or one answer for all models. */
class Stand implements AiBinding {
  readonly calls: { model: string; inputs: Record<string, unknown> }[] = [];
  readonly #answer: (model: string) => Answer;

  constructor(answer: Answer | Record<string, Answer>) {
    this.#answer = (model) => (typeof answer === 'function' ? answer : answer[model]!);
  }

  async run(model: string, inputs: Record<string, unknown>, options: { signal: AbortSignal }) {
    this.calls.push({ model, inputs });
    return this.#answer(model)(inputs, options);
  }
}

const events = (...data: unknown[]) =>
  new Blob(
    data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`),
  ).stream();

const spent: number[] = [];
const call = (signal = new AbortController().signal) => ({
  signal,
  spend: (tokens: number) => void spent.push(tokens),
});
const over = (stand: Stand) => new Models([new WorkersAi(stand)], 60_000);
const generate = (answer: Answer) => over(new Stand(answer)).text(QUESTION, call());

const SMALL = '@cf/meta/llama-3.1-8b-instruct-fp8-fast';
const LARGE = '@cf/meta/llama-3.3-70b-instruct-fp8-fast';
const FLUX = '@cf/black-forest-labs/flux-1-schnell';
const DIFFUSION = '@cf/stabilityai/stable-diffusion-xl-base-1.0';

/** A comment line, which contains no event. */
const COMMENT = new TextEncoder().encode(':\n\n');

describe('Workers AI', () => {
  it('streams a text and counts its tokens', async () => {
    const stand = new Stand(() =>
      events(
        { response: 'It is ' },
        { response: 'a test.' },
        { response: '', usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 } },
        '[DONE]',
      ),
    );
    expect(await over(stand).text(QUESTION, call())).toEqual({
      text: 'It is a test.',
      value: undefined,
      provider: 'workers-ai',
      finishReason: 'stop',
    });
    expect(stand.calls).toEqual([
      {
        model: LARGE,
        inputs: {
          messages: [
            { role: 'system', content: 'Answer.' },
            { role: 'user', content: 'What is it?' },
          ],
          max_tokens: 50,
          stream: true,
        },
      },
    ]);
    expect(spent.at(-1)).toBe(9);
  });

  it('accepts the OpenAI response format of newer models, unstreamed', async () => {
    const choices = [{ message: { content: 'Whole.' }, finish_reason: 'length' }];
    expect(await generate(() => ({ choices }))).toMatchObject({
      text: 'Whole.',
      finishReason: 'length',
    });
  });

  it('reports a cut-off answer when all tokens were used', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 50 };
    expect(await generate(() => ({ response: 'And so', usage }))).toMatchObject({
      finishReason: 'length',
    });
  });

  it('uses the small model for simple text, and the large one if it fails', async () => {
    const stand = new Stand({
      [SMALL]: () => ({ response: '' }),
      [LARGE]: () => ({ response: 'Ahoy' }),
    });
    const answer = await over(stand).text({ ...QUESTION, simple: true }, call());
    expect(answer.text).toBe('Ahoy');
    expect(stand.calls.map(({ model }) => model)).toEqual([SMALL, LARGE]);
  });

  it('returns JSON for a schema as a value, without streaming', async () => {
    const stand = new Stand(() => ({ response: { ok: true } }));
    const schema = z.object({ ok: z.boolean() });
    expect((await over(stand).text({ ...QUESTION, schema }, call())).value).toEqual({ ok: true });
    const inputs = stand.calls[0]?.inputs;
    expect(inputs?.stream).toBeUndefined();
    expect(inputs?.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { type: 'object', required: ['ok'] },
    });
  });

  it('reads Base64 from the first image model and bytes from the last', async () => {
    const stand = new Stand({
      [FLUX]: () => ({ image: btoa('\xff\xd8\xff jpeg') }),
      [DIFFUSION]: () => new Blob(['GIF89a png']).stream(),
    });
    const drawn = await over(stand).image({ prompt: 'a cat', negativePrompt: 'dogs' }, call());
    expect(new TextDecoder().decode(drawn.bytes)).toContain('jpeg');
    expect(drawn.negativePromptUsed).toBe(false);
    expect(stand.calls).toEqual([{ model: FLUX, inputs: { prompt: 'a cat' } }]);
  });

  it('sends the negative prompt only to the last image model, which supports it', async () => {
    const stand = new Stand({
      [FLUX]: () =>
        Promise.reject(new Error('3040: No more data centers to forward the request to')),
      [DIFFUSION]: () => new Blob(['GIF89a png']).stream(),
    });
    const drawn = await over(stand).image({ prompt: 'a cat', negativePrompt: 'dogs' }, call());
    expect(new TextDecoder().decode(drawn.bytes)).toContain('png');
    expect(drawn.negativePromptUsed).toBe(true);
    expect(stand.calls[1]).toEqual({
      model: DIFFUSION,
      inputs: { prompt: 'a cat', negative_prompt: 'dogs' },
    });
  });

  it('returns embeddings', async () => {
    const data = [[1, 2]];
    const stand = new Stand(() => ({ shape: [1, 2], data }));
    expect(await over(stand).embed(['a'], call())).toEqual({
      vectors: data,
      provider: 'workers-ai',
      model: '@cf/baai/bge-m3',
    });
  });

  it.each([
    ['3036: You have used up your daily free allocation of 10,000 neurons.', 503],
    ['3040: No more data centers to forward the request to', 503],
    ['3007: Request timeout', 504],
    ['AiError: 3030: Input prompt contains NSFW content', 422],
    ['5007: No such model @cf/x or task', 502],
    ['5016: User has not agreed to Llama3.2 model terms', 502],
  ])('fails with its documented errors: %s returns %i', async (message, status) => {
    await expect(generate(() => Promise.reject(new Error(message)))).rejects.toMatchObject({
      status,
    });
  });

  it.each<[string, Answer]>([
    ['no response', () => undefined],
    ['an empty text', () => ({ response: '' })],
    ['a truncated stream', () => events({ response: 'It is' })],
    ['an error', () => Promise.reject(new Error('1031'))],
    ['a timeout', () => new Promise(() => {})],
  ])('is followed by the next provider after %s', async (_, answer) => {
    const models = new Models([new WorkersAi(new Stand(answer)), provider('whole')], 3000);
    expect(await models.text(QUESTION, call())).toMatchObject({ provider: 'openai' });
  });

  it('is cancelled when the caller disconnects, and the used tokens are charged', async () => {
    const gone = new AbortController();
    let told: AbortSignal | undefined;
    let read: Promise<void> | undefined;
    const stand = new Stand((_, { signal }) => {
      told = signal;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const first = writer.write(
        new TextEncoder().encode(`data: {"response":"${'x'.repeat(40)}"}\n\n`),
      );
      // A write resolves when the previous chunk has been consumed, so the first chunk has been read.
      read = first.then(() => writer.write(COMMENT)).then(() => writer.write(COMMENT));
      return readable;
    });
    const requested = over(stand).text(QUESTION, call(gone.signal));
    await expect.poll(() => read !== undefined).toBe(true);
    await read;
    gone.abort(new Error('gone'));
    await expect(requested).rejects.toThrow('gone');
    expect(told?.aborted).toBe(true);
    expect(spent.at(-1)).toBe(Math.ceil(('Answer.What is it?'.length + 40) / 4));
  });
});
