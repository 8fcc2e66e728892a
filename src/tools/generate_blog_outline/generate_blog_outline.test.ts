import { describe, expect, it } from 'vitest';
import { modelsOf, saying } from '../../../test/support/models.ts';
import { runTool } from '../../../test/support/run-tool.ts';
import { generateBlogOutline } from './generate_blog_outline.ts';
import { missingParts } from './outline-parts.ts';

const section = (number: number) =>
  `## ${number}. Part ${number}\n### ${number}.1 One\n- a point\n### ${number}.2 Two`;

const outlineOf = (sections: number) =>
  [
    '# Coffee at home',
    '## Introduction\n- why',
    ...Array.from({ length: sections }, (_, index) => section(index + 1)),
    '## Conclusion\n- so',
    '## FAQ\n- How? So.',
  ].join('\n\n');

const run = (parameters: Record<string, unknown>, models = saying(outlineOf(5))) =>
  runTool(generateBlogOutline, parameters, { ports: { models } });

async function requested(parameters: Record<string, unknown>) {
  const sent: { messages: { content: string }[]; max_tokens: number }[] = [];
  const models = modelsOf('echo');
  const text = models.text.bind(models);
  Object.assign(models, {
    text: async (...given: Parameters<typeof text>) => {
      const answer = await text(...given);
      sent.push(JSON.parse(answer.text).body);
      return { ...answer, text: outlineOf(20) };
    },
  });
  await run(parameters, models);
  return sent[0]!;
}

describe('generate_blog_outline', () => {
  it('returns only the outline: Markdown with every part', async () => {
    const { value, headers, warnings } = await run({ topic: 'coffee' });
    expect(value).toEqual({ outline: outlineOf(5) });
    expect(headers).toEqual({ 'X-Provider': 'openai', 'X-Finish-Reason': 'stop' });
    expect(warnings).toEqual([]);
  });

  it('returns the first answer if the model fails on the second request', async () => {
    const poor = outlineOf(5).replace(/\n+## FAQ[\s\S]*/, '');
    const { value, warnings } = await run({ topic: 'coffee' }, saying(poor, ''));
    expect(value).toEqual({ outline: poor });
    expect(warnings).toEqual(['The outline lacks an FAQ block.']);
    await expect(run({ topic: 'coffee' }, saying('I cannot.', ''))).rejects.toMatchObject({
      status: 502,
    });
  });

  it('throws an unexpected error of the second request', async () => {
    const models = saying(outlineOf(5).replace(/\n+## FAQ[\s\S]*/, ''));
    const text = models.text.bind(models);
    let requests = 0;
    Object.assign(models, {
      text: (...given: Parameters<typeof text>) => {
        requests += 1;
        if (requests === 2) throw new TypeError('a bug');
        return text(...given);
      },
    });
    await expect(run({ topic: 'coffee' }, models)).rejects.toThrow('a bug');
  });

  it('uses the first keyword as primary and the others as secondary', async () => {
    const { messages } = await requested({ topic: ' coffee , grinder,, "dark, roast"' });
    expect(messages[1]?.content).toContain(
      '<keywords>\nPrimary keyword: coffee\nSecondary keywords: grinder, "dark, roast"\n</keywords>',
    );
  });

  it.each<[unknown, number]>([
    [undefined, 5],
    [3, 3],
    ['7', 7],
    [0, 5],
    ['many', 5],
    ['', 5],
    [null, 5],
    [[], 5],
    [2.9, 2],
    [-4, 1],
    [99, 20],
  ])('with sections set to %j writes %i', async (sections, number) => {
    const { messages } = await requested({ topic: 'coffee', sections });
    expect(messages[0]?.content).toContain(`exactly ${number} numbered sections`);
  });

  it('warns about a number that was replaced', async () => {
    const { warnings } = await run({ topic: 'coffee', sections: 'many' });
    expect(warnings).toEqual(['sections: "many" was replaced by 5.']);
  });

  it('requests at most 1,000 tokens', async () => {
    expect((await requested({ topic: 'coffee' })).max_tokens).toBe(1000);
  });

  it('asks the model once more for a missing part and names it', async () => {
    const lacking = outlineOf(5).replace(/## FAQ[\s\S]*/, '');
    expect((await run({ topic: 'coffee' }, saying(lacking, outlineOf(5)))).value).toEqual({
      outline: outlineOf(5),
    });
    let requested = 0;
    const models = saying(lacking);
    const text = models.text.bind(models);
    const counted = Object.assign(models, {
      text: (request: Parameters<typeof text>[0], call: Parameters<typeof text>[1]) => {
        requested += 1;
        if (requested === 2) {
          expect(request.messages[1]).toEqual({ role: 'assistant', content: lacking.trim() });
          expect(request.messages[2]?.content).toContain('an FAQ block');
        }
        return text(request, call);
      },
    });
    const { value, warnings } = await run({ topic: 'coffee' }, counted);
    expect(requested).toBe(2);
    expect(value.outline).toBe(lacking.trim());
    expect(warnings).toEqual(['The outline lacks an FAQ block.']);
  });

  it('charges the tokens of both requests', async () => {
    const spent: number[] = [];
    const spend = (tokens: number) => void spent.push(tokens);
    const models = saying('# Only a title', outlineOf(5));
    await runTool(generateBlogOutline, { topic: 'coffee' }, { ports: { models }, spend });
    expect(spent).toEqual([33, 33]);
  });

  it('removes preambles and fences', async () => {
    const fenced = `Sure! Here is your outline:\n\n\`\`\`markdown\n${outlineOf(5)}\n\`\`\``;
    expect((await run({ topic: 'coffee' }, saying(fenced))).value.outline).toBe(outlineOf(5));
  });

  it('returns 422 if the model writes no outline', async () => {
    await expect(run({ topic: 'coffee' }, saying('I cannot do that.'))).rejects.toMatchObject({
      status: 422,
    });
  });

  it('rejects a topic that is blank, has no keyword or exceeds 2,000 characters', async () => {
    for (const topic of ['', '  ', ' , ,', undefined]) {
      await expect(run({ topic })).rejects.toMatchObject({ status: 400, param: 'topic' });
    }
    await expect(run({ topic: 'x'.repeat(2001) })).rejects.toMatchObject({ status: 413 });
  });

  it('allows everyone 10 calls per minute', () => {
    expect(generateBlogOutline.access).toBe('anyone');
    expect(generateBlogOutline.limits).toEqual([{ calls: 10, per: 'minute', by: 'ip' }]);
  });

  it('returns 501 without a model', async () => {
    await expect(run({ topic: 'coffee' }, modelsOf())).rejects.toMatchObject({ status: 501 });
  });
});

describe('missingParts', () => {
  it.each([
    ['in the requested format', outlineOf(3)],
    [
      'with bold headings and its own numbering',
      '**Coffee**\n\n**Introduction**\n- a\n\n1. Beans\n   - x\n\n2. Water\n   - x\n\n3. Heat\n   - x\n\n**Conclusion**\n- b\n\n**Frequently Asked Questions**\n- c',
    ],
    [
      'with "Section 1:" and bullets',
      '# A\n## Introduction\n## Section 1: B\n- x\n## Section 2: C\n- x\n## Section 3: D\n- x\n## Conclusion\n## FAQs',
    ],
    [
      'with everything numbered',
      '# A\n## 1. Introduction\n- x\n## 2. B\n- x\n## 3. C\n- x\n## 4. D\n- x\n## 5. Conclusion\n- x\n## 6. FAQ',
    ],
    [
      'in another language',
      '# Kaffee\n## Zum Einstieg\n- a\n## 1. Bohnen\n### 1.1 x\n## 2. Wasser\n### 2.1 x\n## 3. Hitze\n### 3.1 x\n## Zum Schluss\n- b\n## Fragen und Antworten\n- c',
    ],
  ])('accepts an outline %s', (_, outline) => {
    expect(missingParts(outline, 3)).toEqual([]);
  });

  it.each([
    ['an introduction', (text: string) => text.replace(/## Introduction\n- why/, '')],
    ['a conclusion', (text: string) => text.replace(/## Conclusion\n- so/, '')],
    ['an FAQ block', (text: string) => text.replace(/## FAQ[\s\S]*/, '')],
    ['subsections in every section', (text: string) => text.replace(/### 2[\s\S]*?(?=\n\n)/, '')],
    [
      '3 numbered sections (there are 2)',
      (text: string) => text.replace(/## 3[\s\S]*?(?=\n\n)/, ''),
    ],
  ])('reports an outline without %s', (part, change) => {
    const outline = change(outlineOf(3));
    expect(outline).not.toBe(outlineOf(3));
    expect(missingParts(outline, 3)).toContain(part);
  });
});
