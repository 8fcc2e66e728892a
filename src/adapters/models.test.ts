import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openRequests } from '../../test/support/model-server-address.ts';
import { modelsOf, provider, saying } from '../../test/support/models.ts';
import type { ModelCall, TextRequest } from '../core/models-port.ts';
import { Models } from './models.ts';
import { OpenAiCompatible } from './openai-compatible.ts';

const QUESTION: TextRequest = {
  system: 'Answer.',
  messages: [{ role: 'user', content: 'What is it?' }],
  maxTokens: 50,
};

class Call implements ModelCall {
  readonly controller = new AbortController();
  spent: number[] = [];
  get signal() {
    return this.controller.signal;
  }
  spend = (tokens: number) => {
    this.spent.push(tokens);
  };
}

const generate = (models: Models, call = new Call()) => models.text(QUESTION, call);

/** Creates a provider for a model with this name. The promise resolves at the first piece of its answer. */
function heardFrom(model: string) {
  const requested = provider(model);
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const chat: typeof requested.chat = (name, request, signal, sink) => {
    const receive = (piece: string) => {
      sink.receive(piece);
      resolve();
    };
    return OpenAiCompatible.prototype.chat.call(requested, name, request, signal, {
      receive,
      count: (tokens) => sink.count(tokens),
    });
  };
  return { provider: Object.assign(requested, { chat }), heard };
}

describe('a text model', () => {
  it('streams the answer and reports the provider and model', async () => {
    expect(await generate(saying('Grüße, 世界 🌍: all of it.'))).toEqual({
      text: 'Grüße, 世界 🌍: all of it.',
      value: undefined,
      provider: 'openai',
      finishReason: 'stop',
    });
  });

  it('accepts a response that is not streamed', async () => {
    expect((await generate(modelsOf('whole'))).text).toBe('not streamed');
  });

  it('sends a request that follows the protocol, with the API key', async () => {
    const models = new Models([provider('echo', 'sk-test')]);
    const { text } = await models.text({ ...QUESTION, maxTokens: 500 }, new Call());
    const { path, headers, body } = JSON.parse(text);
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe('Bearer sk-test');
    expect(body).toEqual({
      model: 'echo',
      messages: [
        { role: 'system', content: 'Answer.' },
        { role: 'user', content: 'What is it?' },
      ],
      max_tokens: 500,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('reports when the answer was cut off at the token limit', async () => {
    expect(await generate(modelsOf('length'))).toMatchObject({ finishReason: 'length' });
  });

  it.each([
    ['reports a rate limit', 'limited-within', 503],
    ['reports a refusal', 'unsafe-within', 422],
  ])(
    'closes the connection when the provider %s within the stream',
    async (_, behavior, status) => {
      const before = await openRequests();
      await expect(generate(modelsOf(behavior))).rejects.toMatchObject({ status });
      await expect.poll(() => openRequests()).toBe(before);
    },
  );

  it('stops an endless answer at the token limit and closes the connection', async () => {
    const before = await openRequests();
    const answer = await generate(modelsOf('talks'));
    expect([answer.text.split(' ').length, answer.finishReason]).toEqual([50, 'length']);
    await expect.poll(() => openRequests()).toBe(before);
  });

  it('cuts the answer of a provider that ignores the token limit', async () => {
    const answer = await modelsOf('uncounted').text({ ...QUESTION, maxTokens: 30 }, new Call());
    expect(answer).toMatchObject({
      text: expect.stringMatching(/^x{300,330}$/),
      finishReason: 'length',
    });
  });

  it('cuts an answer over the token limit and reports it', async () => {
    const words = Array<string>(78).fill('word');
    const cut = await generate(saying(words.join(' ')));
    expect(cut).toMatchObject({ text: words.slice(0, 50).join(' '), finishReason: 'length' });
    const whole = await generate(saying(words.slice(0, 50).join(' ')));
    expect(whole).toMatchObject({ text: words.slice(0, 50).join(' '), finishReason: 'stop' });
  });

  it('removes reasoning from the answer', async () => {
    expect((await generate(modelsOf('thinking'))).text).toBe('Done.');
  });

  it.each(['no-stream-options', 'new-tokens'])(
    'repeats a request without the fields that the server rejects: %s',
    async (name) => {
      expect((await generate(modelsOf(name))).text).toMatch(/^without /);
    },
  );
});

describe('a JSON schema', () => {
  const schema = z.object({ panels: z.array(z.object({ x: z.number() })) });
  const look = (models: Models) => models.text({ ...QUESTION, schema }, new Call());

  it('is sent to the provider, and the answer is its parsed value', async () => {
    const value = { panels: [{ x: 1 }] };
    expect((await look(saying(JSON.stringify(value)))).value).toEqual(value);
    expect(
      (await look(saying(`Sure:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``))).value,
    ).toEqual(value);
  });

  it('makes an answer that does not match it a failure with 502', async () => {
    for (const text of ['{"panels":', '{"panels":[{"x":"1"}]}', 'none']) {
      await expect(look(saying(text))).rejects.toMatchObject({ status: 502 });
    }
  });

  it('is sent in the prompt to a server that does not support schemas', async () => {
    await expect(look(modelsOf('no-schema'))).rejects.toMatchObject({ status: 502 });
    const { text } = await modelsOf('echo').text(
      { ...QUESTION, schema: z.looseObject({}) },
      new Call(),
    );
    const { body } = JSON.parse(text);
    expect(body.response_format.json_schema.schema.type).toBe('object');
    expect(body.messages[0].content).toContain('Answer only with JSON that matches this schema: {');
  });
});

describe('a failing provider', () => {
  it.each([
    'error',
    'unauthorized',
    'redirect',
    'cut',
    'ends',
    'garbled',
    'broken',
    'html',
    'empty',
    'error-within',
    'endless',
    'limited',
    'limited-silent',
    'overloaded',
    'hangs',
    'stalls',
  ])('is followed by the next one: %s', async (name) => {
    const call = new Call();
    const answer = await generate(new Models([provider(name), provider('whole')], 6000), call);
    expect(answer.text).toBe('not streamed');
    expect(call.spent).toEqual(name === 'empty' ? [33, 33] : [33]);
  });

  it.each([
    [['error', 'html', 'empty'], 502],
    [['unauthorized'], 502],
    [['hangs', 'error'], 504],
    [['stalls'], 504],
    [['limited', 'error', 'hangs'], 503],
  ])('causes an error when it is the last: %j returns %i', async (names, status) => {
    const models = new Models(
      names.map((name) => provider(name)),
      3000,
    );
    const error = await generate(models).catch((thrown) => thrown);
    expect(error).toMatchObject({ status });
    expect(error.message).not.toMatch(/secret|sk-/);
  });

  it('causes a rate limit error with its Retry-After or an estimate', async () => {
    const retryAfter = async (...names: string[]) =>
      (await generate(modelsOf(...names)).catch((thrown) => thrown)).retryAfter;
    expect(await retryAfter('limited')).toBe(7);
    expect(await retryAfter('overloaded', 'limited')).toBe(3);
    expect(await retryAfter('limited-date')).toBeGreaterThan(80);
    expect(await retryAfter('limited-silent')).toBe(10);
  });

  it('causes 502 when it is unreachable', async () => {
    const away = new Models(
      [provider('x')].map((one) =>
        Object.assign(one, { chat: () => fetch('http://127.0.0.1:1/') }),
      ),
    );
    await expect(generate(away)).rejects.toMatchObject({ status: 502, code: 'tool_failed' });
  });

  it('causes 422 with its reason for a safety refusal, and no other provider is called', async () => {
    await expect(generate(modelsOf('unsafe', 'whole'))).rejects.toMatchObject({
      status: 422,
      code: 'tool_failed',
      message: expect.stringContaining('Your request was rejected: violence.'),
    });
    await expect(generate(modelsOf('filtered'))).rejects.toMatchObject({ status: 422 });
  });

  it('causes 501 with the variables’ names when none is configured', async () => {
    await expect(generate(modelsOf())).rejects.toMatchObject({
      status: 501,
      code: 'tool_unsupported',
      message: expect.stringContaining('can set OPENAI_BASE_URL and MODEL_TEXT'),
    });
    const bare = Object.assign(provider('x'), { models: () => [] });
    await expect(new Models([bare]).image({ prompt: 'x' }, new Call())).rejects.toMatchObject({
      status: 501,
      message: expect.stringContaining('can set MODEL_IMAGE to'),
    });
  });
});

describe('the time limit', () => {
  it('is shared by all providers, and every request is closed', async () => {
    const started = Date.now();
    await expect(
      generate(
        new Models(
          ['hangs', 'stalls', 'hangs'].map((name) => provider(name)),
          600,
        ),
      ),
    ).rejects.toMatchObject({ status: 504 });
    expect(Date.now() - started).toBeGreaterThan(550);
    expect(Date.now() - started).toBeLessThan(60_000);
    await expect.poll(() => openRequests()).toBe(0);
  });

  it('applies to a provider that ignores its abort signal', async () => {
    const deaf = Object.assign(provider('x'), { chat: () => new Promise<never>(() => {}) });
    await expect(generate(new Models([deaf], 100))).rejects.toMatchObject({ status: 504 });
  });
});

describe('charged tokens', () => {
  it('are those that the provider counted', async () => {
    const call = new Call();
    await generate(saying('Yes.'), call);
    expect(call.spent).toEqual([33]);
  });

  it('are estimated at four bytes each when the provider does not count', async () => {
    const call = new Call();
    await generate(modelsOf('uncounted'), call);
    expect(call.spent).toEqual([Math.ceil(('Answer.What is it?'.length + 400) / 4)]);
  });

  it('are charged when the caller disconnects, and the provider stops', async () => {
    const call = new Call();
    const stalling = heardFrom('stalls');
    const requested = generate(new Models([stalling.provider, provider('whole')], 30_000), call);
    await stalling.heard;
    call.controller.abort(new Error('gone'));
    await expect(requested).rejects.toThrow('gone');
    expect(call.spent).toEqual([Math.ceil(('Answer.What is it?'.length + 80) / 4)]);
    await expect.poll(() => openRequests()).toBe(0);
  });

  it('add up for concurrent calls, including failed and cancelled ones', async () => {
    const names = fc.constantFrom('whole', 'error', 'empty', 'limited', 'html', 'stalls');
    const calls = fc.array(fc.array(names, { minLength: 1, maxLength: 3 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(calls, async (all) => {
        const results = await Promise.all(
          all.map(async (providers) => {
            const call = new Call();
            const heard = providers.map((name) => heardFrom(name));
            const models = new Models(
              heard.map((each) => each.provider),
              60_000,
            );
            const stalling = heard[providers.indexOf('stalls')];
            // If an earlier provider answers, the provider that stalls receives no request.
            stalling?.heard.then(() => call.controller.abort(new Error('gone')));
            const answer = await generate(models, call).catch(() => null);
            return { call, answer, providers };
          }),
        );
        for (const { call, answer, providers } of results) {
          const left = call.signal.aborted && !answer;
          const counted = call.spent.filter((tokens) => tokens === 33).length;
          const end = providers.findIndex((name) => name === 'whole' || name === 'stalls');
          const requested = end < 0 ? providers : providers.slice(0, end + 1);
          const answers = requested.filter((name) => name === 'whole' || name === 'empty');
          expect(counted).toBe(answers.length);
          expect(call.spent).toHaveLength(counted + (left ? 1 : 0));
        }
      }),
      { numRuns: 8 },
    );
  });

  it('are zero for a failed call without a token count', async () => {
    const call = new Call();
    await expect(generate(modelsOf('error', 'limited', 'cut'), call)).rejects.toMatchObject({
      status: 503,
    });
    expect(call.spent).toEqual([]);
  });

  it('include those counted for an unusable answer', async () => {
    const schema = z.object({ panels: z.array(z.string()) });
    for (const [name, request] of [
      ['empty', QUESTION],
      ['filtered', QUESTION],
      ['counted-cut', QUESTION],
      ['whole', { ...QUESTION, schema }],
    ] as const) {
      const call = new Call();
      await expect(modelsOf(name).text(request, call)).rejects.toMatchObject({
        code: 'tool_failed',
      });
      expect(call.spent, name).toEqual([33]);
    }
    const call = new Call();
    const prose = modelsOf('uncounted').text({ ...QUESTION, schema }, call);
    await expect(prose).rejects.toMatchObject({ status: 502 });
    expect(call.spent[0]).toBeGreaterThan(100);
  });
});

describe('images and embeddings', () => {
  it('sends an image to a vision model', async () => {
    const image = { bytes: new Uint8Array([1, 2, 3]), contentType: 'image/png' };
    const { text } = await modelsOf('echo').vision(
      { ...QUESTION, maxTokens: 500, image },
      new Call(),
    );
    expect(JSON.parse(text).body.messages[1].content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
    ]);
  });

  it.each(['x', 'no-format', 'image-beside'])(
    'accepts an image from an image model: %s',
    async (name) => {
      const { bytes, provider } = await modelsOf(name).image({ prompt: 'a cat' }, new Call());
      expect([...bytes.subarray(1, 4)]).toEqual([...'PNG'].map((letter) => letter.charCodeAt(0)));
      expect(provider).toBe('openai');
    },
  );

  it.each(['no-image', 'image-elsewhere'])(
    'rejects an image that is missing or at another address: %s',
    async (name) => {
      await expect(modelsOf(name).image({ prompt: 'a cat' }, new Call())).rejects.toMatchObject({
        status: 502,
      });
    },
  );

  it('returns vectors in the order of the texts, with their model', async () => {
    const call = new Call();
    expect(await modelsOf('small').embed(['a', 'bcd'], call)).toEqual({
      vectors: [
        [1, 0],
        [3, 1],
      ],
      provider: 'openai',
      model: 'small',
    });
    expect(call.spent).toEqual([5]);
  });
});
