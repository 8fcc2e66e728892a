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

/** A provider whose model has this name, with a promise that resolves at the first piece of its answer. */
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
  it('answers, streamed, and says who it was', async () => {
    expect(await generate(saying('Grüße, 世界 🌍: all of it.'))).toEqual({
      text: 'Grüße, 世界 🌍: all of it.',
      value: undefined,
      provider: 'openai',
      finishReason: 'stop',
    });
  });

  it('is understood when it does not stream', async () => {
    expect((await generate(modelsOf('whole'))).text).toBe('not streamed');
  });

  it('is asked as the protocol has it, with the key', async () => {
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

  it('that is cut off at its bound says so', async () => {
    expect(await generate(modelsOf('length'))).toMatchObject({ finishReason: 'length' });
  });

  it.each([
    ['limits us', 'limited-within', 503],
    ['refuses', 'unsafe-within', 422],
  ])('that %s within its stream is closed at once', async (_, behaviour, status) => {
    const before = await openRequests();
    await expect(generate(modelsOf(behaviour))).rejects.toMatchObject({ status });
    await expect.poll(() => openRequests()).toBe(before);
  });

  it('that does not end is heard to its bound, and closed', async () => {
    const before = await openRequests();
    const answer = await generate(modelsOf('talks'));
    expect([answer.text.split(' ').length, answer.finishReason]).toEqual([50, 'length']);
    await expect.poll(() => openRequests()).toBe(before);
  });

  it('that knows no bound is cut off here', async () => {
    const answer = await modelsOf('uncounted').text({ ...QUESTION, maxTokens: 30 }, new Call());
    expect(answer).toMatchObject({
      text: expect.stringMatching(/^x{300,330}$/),
      finishReason: 'length',
    });
  });

  it('that writes more than its bound is cut off there, and says so', async () => {
    const words = Array<string>(78).fill('word');
    const cut = await generate(saying(words.join(' ')));
    expect(cut).toMatchObject({ text: words.slice(0, 50).join(' '), finishReason: 'length' });
    const whole = await generate(saying(words.slice(0, 50).join(' ')));
    expect(whole).toMatchObject({ text: words.slice(0, 50).join(' '), finishReason: 'stop' });
  });

  it('has its thoughts taken away', async () => {
    expect((await generate(modelsOf('thinking'))).text).toBe('Done.');
  });

  it.each(['no-stream-options', 'new-tokens'])(
    'of a server that wants other fields is asked again without them: %s',
    async (name) => {
      expect((await generate(modelsOf(name))).text).toMatch(/^without /);
    },
  );
});

describe('a schema', () => {
  const schema = z.object({ panels: z.array(z.object({ x: z.number() })) });
  const look = (models: Models) => models.text({ ...QUESTION, schema }, new Call());

  it('goes along, and the answer is its value', async () => {
    const value = { panels: [{ x: 1 }] };
    expect((await look(saying(JSON.stringify(value)))).value).toEqual(value);
    expect(
      (await look(saying(`Sure:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``))).value,
    ).toEqual(value);
  });

  it('that the answer does not keep to makes it a failed one', async () => {
    for (const text of ['{"panels":', '{"panels":[{"x":"1"}]}', 'none']) {
      await expect(look(saying(text))).rejects.toMatchObject({ status: 502 });
    }
  });

  it('is left out for a server that does not take it, and stands in words', async () => {
    await expect(look(modelsOf('no-schema'))).rejects.toMatchObject({ status: 502 });
    const { text } = await modelsOf('echo').text(
      { ...QUESTION, schema: z.looseObject({}) },
      new Call(),
    );
    const { body } = JSON.parse(text);
    expect(body.response_format.json_schema.schema.type).toBe('object');
    expect(body.messages[0].content).toContain('Answer with JSON of this schema only: {');
  });
});

describe('a provider that fails', () => {
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
  ])('is an error when none is left: %j is %i', async (names, status) => {
    const models = new Models(
      names.map((name) => provider(name)),
      3000,
    );
    const error = await generate(models).catch((thrown) => thrown);
    expect(error).toMatchObject({ status });
    expect(error.message).not.toMatch(/secret|sk-/);
  });

  it('because it limits us is told with the time it gave, or a guess', async () => {
    const retryAfter = async (...names: string[]) =>
      (await generate(modelsOf(...names)).catch((thrown) => thrown)).retryAfter;
    expect(await retryAfter('limited')).toBe(7);
    expect(await retryAfter('overloaded', 'limited')).toBe(3);
    expect(await retryAfter('limited-date')).toBeGreaterThan(80);
    expect(await retryAfter('limited-silent')).toBe(10);
  });

  it('that is not there at all is 502', async () => {
    const away = new Models(
      [provider('x')].map((one) =>
        Object.assign(one, { chat: () => fetch('http://127.0.0.1:1/') }),
      ),
    );
    await expect(generate(away)).rejects.toMatchObject({ status: 502, code: 'tool_failed' });
  });

  it('that refuses for safety is 422 with its reason, and no other is asked', async () => {
    await expect(generate(modelsOf('unsafe', 'whole'))).rejects.toMatchObject({
      status: 422,
      code: 'tool_failed',
      message: expect.stringContaining('Your request was rejected: violence.'),
    });
    await expect(generate(modelsOf('filtered'))).rejects.toMatchObject({ status: 422 });
  });

  it('that none is configured is 501 and names the variables', async () => {
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

describe('time', () => {
  it('is shared by all providers, and none is left behind', async () => {
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

  it('ends also for a provider that does not listen to its signal', async () => {
    const deaf = Object.assign(provider('x'), { chat: () => new Promise<never>(() => {}) });
    await expect(generate(new Models([deaf], 100))).rejects.toMatchObject({ status: 504 });
  });
});

describe('tokens', () => {
  it('are those that the provider counted', async () => {
    const call = new Call();
    await generate(saying('Yes.'), call);
    expect(call.spent).toEqual([33]);
  });

  it('are estimated where it does not count: four bytes each', async () => {
    const call = new Call();
    await generate(modelsOf('uncounted'), call);
    expect(call.spent).toEqual([Math.ceil(('Answer.What is it?'.length + 400) / 4)]);
  });

  it('are charged also when the caller leaves half-way, and the provider stops', async () => {
    const call = new Call();
    const stalling = heardFrom('stalls');
    const requested = generate(new Models([stalling.provider, provider('whole')], 30_000), call);
    await stalling.heard;
    call.controller.abort(new Error('gone'));
    await expect(requested).rejects.toThrow('gone');
    expect(call.spent).toEqual([Math.ceil(('Answer.What is it?'.length + 80) / 4)]);
    await expect.poll(() => openRequests()).toBe(0);
  });

  it('balance however many calls run at once, and whoever fails or leaves', async () => {
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
            // The stalling provider receives no request if an earlier provider answers.
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

  it('are not charged for what gave no answer and counted nothing', async () => {
    const call = new Call();
    await expect(generate(modelsOf('error', 'limited', 'cut'), call)).rejects.toMatchObject({
      status: 503,
    });
    expect(call.spent).toEqual([]);
  });

  it('that the provider counted are charged also where its answer is of no use', async () => {
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

describe('the other kinds', () => {
  it('show an image to a vision model', async () => {
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
    'take an image from an image model: %s',
    async (name) => {
      const { bytes, provider } = await modelsOf(name).image({ prompt: 'a cat' }, new Call());
      expect([...bytes.subarray(1, 4)]).toEqual([...'PNG'].map((letter) => letter.charCodeAt(0)));
      expect(provider).toBe('openai');
    },
  );

  it.each(['no-image', 'image-elsewhere'])('take none from elsewhere: %s', async (name) => {
    await expect(modelsOf(name).image({ prompt: 'a cat' }, new Call())).rejects.toMatchObject({
      status: 502,
    });
  });

  it('give vectors in the order of the texts, with their model', async () => {
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
