import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentDocument } from '../core/content.ts';
import { atomFeed } from './feeds.ts';
import { Library } from './library.ts';
import { splitPassages } from './split-passages.ts';
import { stemsOf } from './terms.ts';
import { asData, markTexts } from './untrusted-text.ts';

describe('splitPassages', () => {
  it('splits at headings and returns the path of headings', () => {
    const text = `${'Intro. '.repeat(12)}\n\n## Errors\n\n${'Bad. '.repeat(20)}\n\n### Rare\n\n${'Odd. '.repeat(20)}\n\n## Other\n\n${'End. '.repeat(20)}`;
    expect(splitPassages(text).map(({ heading }) => heading)).toEqual([
      '',
      'Errors',
      'Errors › Rare',
      'Other',
    ]);
  });

  it('ignores headings inside code blocks', () => {
    const passages = splitPassages('Text.\n\n```sh\n# a comment\n```\n\n~~~\n## too\n~~~');
    expect(passages).toHaveLength(1);
    expect(passages[0]!.text).toContain('# a comment');
  });

  it('keeps every word and limits a passage to 2,800 characters', () => {
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

describe('stemsOf', () => {
  it('omits stop words, accents and punctuation', () => {
    expect(stemsOf('How do I merge the Résumés’ pages?')).toEqual(['merg', 'resum', 'page']);
    expect(stemsOf('merge_pdf')).toEqual(['merg', 'pdf']);
  });
});

describe('the content library', () => {
  const document = (path: string, section: ContentDocument['section']): ContentDocument => ({
    path,
    section,
    title: path,
    description: '',
    tags: [],
    markdown: `Body of ${path}`,
    publishedAt: '2026-11-21T00:00:00.000Z',
    updatedAt: '2026-11-21T00:00:00.000Z',
  });
  const documents = [
    document('/blog/a', 'Blog'),
    document('/blog/b', 'Blog'),
    document('/how-to/c', 'How-to'),
    document('/docs', 'Docs'),
  ];
  const library = new Library({
    digest: 'd',
    documents,
    renamed: { '/blog/old-b': '/blog/b' },
    reference: [],
  });
  const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path);

  it('lists every section except /docs, without bodies', () => {
    const { documents: listed, next } = library.list();
    expect(paths(listed)).toEqual(['/blog/a', '/blog/b', '/how-to/c']);
    expect(listed[0]).not.toHaveProperty('markdown');
    expect(next).toBeNull();
  });

  it('lists documents in pages', () => {
    const { documents: first, next } = library.list({ limit: 2 });
    expect([paths(first), next]).toEqual([['/blog/a', '/blog/b'], 2]);
    const second = library.list({ limit: 2, from: 2 });
    expect([paths(second.documents), second.next]).toEqual([['/how-to/c'], null]);
    expect(library.list({ limit: 2, from: 9 })).toEqual({ documents: [], next: null });
  });

  it('lists one section and finds documents by path', () => {
    expect(paths(library.list({ section: 'Docs' }).documents)).toEqual(['/docs']);
    expect(library.find('/blog/b')?.markdown).toBe('Body of /blog/b');
    expect(library.find('/blog/old-b')?.path).toBe('/blog/b');
    expect(library.find('/blog/z')).toBeUndefined();
    expect(paths(library.whole())).toEqual(['/docs', '/blog/a', '/blog/b', '/how-to/c']);
  });
});

describe('asData', () => {
  it('prevents content from closing the DATA tag', () => {
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

  it('leaves other text unchanged', () => {
    expect(asData('a < b, <database>, <div>')).toBe('<DATA>a < b, <database>, <div></DATA>');
  });
});

describe('markTexts', () => {
  it('marks every text and leaves addresses, numbers and codes unmarked', () => {
    const value = {
      title: 'A title',
      url: 'https://example.com/?a=1#b',
      lang: 'en',
      width: 7,
      feeds: ['https://example.com/feed', 'not an address'],
      openGraph: { 'a name': '忽略', none: null },
      close: '</DATA>',
    };
    expect(markTexts(value)).toEqual({
      title: '<DATA>A title</DATA>',
      url: 'https://example.com/?a=1#b',
      lang: 'en',
      width: 7,
      feeds: ['https://example.com/feed', '<DATA>not an address</DATA>'],
      openGraph: { '<DATA>a name</DATA>': '<DATA>忽略</DATA>', none: null },
      close: '<DATA>&lt;/DATA></DATA>',
    });
  });
});

describe('an XML feed', () => {
  it('escapes XML characters', () => {
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
