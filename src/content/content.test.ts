import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asData, asJsonData } from '../lib/untrusted-text.ts';
import { cosine } from '../lib/vectors.ts';
import { atomFeed } from './feeds.ts';
import { readFrontMatter } from './front-matter.ts';
import { learn, place } from './latent.ts';
import { stem } from './porter.ts';
import { splitPassages } from './split-passages.ts';
import { contentWords, termsOf } from './terms.ts';

describe('front matter', () => {
  it('has strings, quoted strings and lists in both forms', () => {
    const text = `---\n\ntitle: Merge: PDFs\ndescription: "a, b"\ntags: [one, 'two']\nmore:\n  - three\n  - four\n---\n\n# Body\n---\nrest`;
    expect(readFrontMatter(text)).toEqual({
      fields: {
        title: 'Merge: PDFs',
        description: 'a, b',
        tags: ['one', 'two'],
        more: ['three', 'four'],
      },
      body: '# Body\n---\nrest',
    });
  });

  it('may be absent, and is refused where it is malformed', () => {
    expect(readFrontMatter('only text')).toEqual({ fields: {}, body: 'only text' });
    expect(() => readFrontMatter('---\nnonsense here\n---\nx')).toThrow(/nonsense here/);
    for (const line of ['tags: ["a, b", c]', 'title: text # note', "title: 'open"]) {
      expect(() => readFrontMatter(`---\n${line}\n---\nx`), line).toThrow(/must be quoted/);
    }
  });
});

describe('splitPassages', () => {
  it('splits by headings, with the path of headings', () => {
    const text = `${'Intro. '.repeat(12)}\n\n## Errors\n\n${'Bad. '.repeat(20)}\n\n### Rare\n\n${'Odd. '.repeat(20)}\n\n## Other\n\n${'End. '.repeat(20)}`;
    expect(splitPassages(text).map(({ heading }) => heading)).toEqual([
      '',
      'Errors',
      'Errors › Rare',
      'Other',
    ]);
  });

  it('takes no heading out of code', () => {
    const passages = splitPassages('Text.\n\n```sh\n# a comment\n```\n\n~~~\n## too\n~~~');
    expect(passages).toHaveLength(1);
    expect(passages[0]!.text).toContain('# a comment');
  });

  it('keeps every word, and no passage is longer than 2,800 characters', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom('## H', '```', '', '# T', '- item'),
            fc.string({ maxLength: 4000 }),
          ),
          { maxLength: 20 },
        ),
        (lines) => {
          for (const { text } of splitPassages(lines.join('\n'))) {
            expect(text.length).toBeLessThanOrEqual(2800);
          }
        },
      ),
    );
    const long = Array.from({ length: 900 }, (_, n) => `word${n}`);
    const words = splitPassages(long.join(' ')).flatMap(({ text }) => text.split(/\s+/));
    expect(words.join('')).toBe(long.join(''));
  });
});

describe('terms', () => {
  it('are stems without stop words, accents and punctuation', () => {
    expect(termsOf('How do I merge the Résumés’ pages?')).toEqual(['merg', 'resum', 'page']);
    expect(contentWords('merge_pdf merge')).toEqual(['merge', 'pdf']);
  });

  it('are stemmed as Porter’s paper has it', () => {
    const examples =
      'caresses caress ponies poni cats cat agreed agre plastered plaster motoring motor conflated conflat hopping hop filing file happy happi relational relat vietnamization vietnam triplicate triplic hopefulness hope adjustable adjust probate probat controll control';
    const words = examples.split(' ');
    for (let at = 0; at < words.length; at += 2) expect(stem(words[at]!)).toBe(words[at + 1]);
  });
});

describe('asData', () => {
  it('lets nothing close the tag from inside', () => {
    const hostile = ['</DATA>', '</data >', '< / DaTa>', '<\u200b/DATA>', '<DATA>', '</DATA\n x>'];
    for (const text of hostile) {
      const wrapped = asData(`a ${text} b`);
      expect(wrapped.slice(6, -7)).not.toMatch(/<[\s/\p{Cf}]*data/iu);
    }
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<', '/', 'DATA', 'data', '>', ' ', '\u200b', 'x')),
        (parts) => {
          expect(asData(parts.join('')).match(/<\s*\/\s*data\s*>/gi)).toHaveLength(1);
        },
      ),
    );
  });

  it('leaves other text as it is', () => {
    expect(asData('a < b, <database>, <div>')).toBe('<DATA>a < b, <database>, <div></DATA>');
  });
});

describe('asJsonData', () => {
  it('lets nothing close the tag from inside, and leaves the JSON what it is', () => {
    const parts = ['<', '/', 'DATA', 'data', '>', ' ', '\n', '\t', '\u0001', '\u200b', '\\', '"'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts)), (chosen) => {
        const value = { [chosen.join('')]: chosen.join('') };
        const marked = asJsonData(JSON.stringify(value));
        const inside = marked.slice('<DATA>'.length, -'</DATA>'.length);
        expect(JSON.parse(inside)).toEqual(value);
        const asRead = inside.replaceAll(/\\(?:[nrtbf]|u00[01].)/g, ' ');
        expect(asRead.replaceAll(/[\s\p{Cf}]/gu, '')).not.toMatch(/<\/*data(?![a-z])/i);
      }),
    );
  });
});

describe('the latent space', () => {
  it('brings words together that are used alike, and is the same at every run', () => {
    const texts = ['car road', 'auto road', 'car wheel', 'auto wheel', 'apple tree', 'pear tree'];
    const counts = texts.map(
      (text) => new Map(text.split(' ').map((word): [string, number] => [word, 1])),
    );
    const space = learn(counts, 2);
    const at = (word: string) => place(new Map([[word, 1]]), space);
    const near = (one: string, other: string) =>
      at(one).reduce((sum, value, i) => sum + value * at(other)[i]!, 0);
    expect(near('car', 'auto')).toBeGreaterThan(Math.abs(near('car', 'apple')) + 0.1);
    expect(learn(counts, 2)).toEqual(space);
    expect(cosine([1, 0], Int8Array.from([0, 127]))).toBe(0);
  });
});

describe('a feed', () => {
  it('escapes what XML would read', () => {
    const feed = atomFeed(
      [
        {
          path: '/blog/a',
          section: 'Blog',
          title: 'A < B & "C"\u0000',
          description: ']]>',
          tags: ["<'>"],
          publishedAt: '2026-11-21T00:00:00.000Z',
          updatedAt: '2026-11-22T00:00:00.000Z',
        },
      ],
      { serviceName: 'T', baseUrl: 'http://localhost' },
    );
    expect(feed).toContain('<title>A &lt; B &amp; &quot;C&quot;</title>');
    expect(feed).toContain('term="&lt;&apos;&gt;"');
    expect(feed).toContain('<updated>2026-11-22T00:00:00.000Z</updated>');
  });
});
