import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SECTIONS } from '../../src/core/content.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { baseUrl, body } from '../support/service.ts';

const get = (query: string, headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}/api/v1/content${query}`, { headers });

interface Listed {
  path: string;
  section: string;
  publishedAt: string;
}

describe('GET /api/v1/content', () => {
  it('lists the document of every tool, sections in order, newest first within a section', async () => {
    const { documents, count } = await body(await get(''));
    expect(documents).toHaveLength(count);
    const listed = documents as Listed[];
    for (const { name } of TOOLS) {
      expect(listed).toContainEqual(
        expect.objectContaining({ path: `/docs/tools/${name}`, section: 'Tool docs' }),
      );
    }
    const sections = listed.map(({ section }) => SECTIONS.indexOf(section as never));
    expect(sections).toEqual([...sections].sort());
    for (const section of SECTIONS) {
      const dates = listed.filter((each) => each.section === section).map((d) => d.publishedAt);
      expect(dates).toEqual([...dates].sort().reverse());
    }
  });

  it('returns the path, title, description, section, tags, dates and address of a document', async () => {
    const { documents } = await body(await get('?section=Tool%20docs'));
    expect(documents.find(({ path }: Listed) => path === '/docs/tools/merge_pdf')).toEqual({
      path: '/docs/tools/merge_pdf',
      title: expect.any(String),
      description: expect.any(String),
      section: 'Tool docs',
      tags: expect.arrayContaining(['merge_pdf']),
      publishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      url: `${baseUrl}/docs/tools/merge_pdf`,
    });
  });

  it('lists one section', async () => {
    const { documents } = await body(await get('?section=Tools'));
    expect(new Set(documents.map(({ section }: Listed) => section))).toEqual(new Set(['Tools']));
    expect(documents).toHaveLength(TOOLS.length);
  });

  it('pages through the list without duplicates when a limit is set', async () => {
    const { documents: all } = await body(await get('?section=Tool%20docs'));
    const paged: unknown[] = [];
    let cursor: string | null = '0';
    while (cursor !== null) {
      const page = await body(await get(`?section=Tool%20docs&limit=7&cursor=${cursor}`));
      expect(page.documents.length).toBeLessThanOrEqual(7);
      paged.push(...page.documents);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all);
  });

  it('returns one document with its Markdown body by path', async () => {
    const document = await body(await get('?path=/docs/tools/merge_pdf'));
    expect(document).toMatchObject({ path: '/docs/tools/merge_pdf', section: 'Tool docs' });
    expect(document.markdown).toContain('merge_pdf');
    expect(document.markdown).not.toMatch(/^---/);
  });

  it('writes the address of the service into the documents', async () => {
    const { markdown } = await body(await get('?path=/tools/merge_pdf'));
    expect(markdown).toContain(`${baseUrl}/api/v1/tools/execute`);
    expect(markdown).not.toContain('{base_url}');
  });

  it('returns only the body to a client that accepts text/markdown', async () => {
    const { markdown } = await body(await get('?path=/docs/tools/merge_pdf'));
    const response = await get('?path=/docs/tools/merge_pdf', { Accept: 'text/markdown' });
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(response.headers.get('vary')).toMatch(/^Accept\b/);
    expect(await response.text()).toBe(`${markdown}\n`);
    const json = await get('?path=/docs/tools/merge_pdf', {
      Accept: 'application/json, text/markdown;q=0.5',
    });
    expect(json.headers.get('content-type')).toBe('application/json');
  });

  it.each(['/nothing', '/docs/tools/no_tool', "/' OR 1=1", '/%00', 'x'.repeat(5000)])(
    'returns 404 for the unknown path %.40s',
    async (path) => {
      const response = await get(`?path=${encodeURIComponent(path)}`);
      expect(response.status).toBe(404);
      expect(await body(response)).toMatchObject({ code: 'not_found', param: 'path' });
    },
  );

  it('returns 404 for a document in another section', async () => {
    expect((await get('?path=/docs/tools/merge_pdf&section=Blog')).status).toBe(404);
  });

  it.each([
    ['?section=News', 'section'],
    ['?limit=0', 'limit'],
    ['?limit=many', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=5&cursor=-1', 'cursor'],
    ['?cursor=5', 'cursor'],
  ])('returns 400 for %s', async (query, param) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(await body(response)).toMatchObject({ code: 'bad_request', param });
  });

  it('returns 304 for a matching ETag, and gives every response its own ETag', async () => {
    const tags = new Set<string>();
    for (const query of ['', '?section=Blog', '?limit=3', '?path=/tools/merge_pdf']) {
      const etag = (await get(query)).headers.get('etag')!;
      tags.add(etag);
      const again = await get(query, { 'If-None-Match': `"other", W/${etag}` });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(etag);
      expect(await again.text()).toBe('');
      expect((await get(query, { 'If-None-Match': '"other"' })).status).toBe(200);
    }
    tags.add(
      (await get('?path=/tools/merge_pdf', { Accept: 'text/markdown' })).headers.get('etag')!,
    );
    expect(tags.size).toBe(5);
  });

  it('refuses other methods', async () => {
    expect((await fetch(`${baseUrl}/api/v1/content`, { method: 'POST' })).status).toBe(405);
  });
});

describe('the machine-readable documents', () => {
  it('have an introduction for agents in llms.txt, below 1,500 tokens', async () => {
    const list = await (await fetch(`${baseUrl}/llms.txt`)).text();
    expect(encode(list).length).toBeLessThan(1500);
    expect(list).toMatch(/^# .+\n\n> .+/);
    expect(list).toContain(`${baseUrl}/api/agent/mcp`);
    for (const { name } of TOOLS) expect(list).toContain(name);
    for (const [, address] of list.matchAll(/\]\((\S+)\)/g)) {
      expect((await fetch(address!)).status, address).toBe(200);
    }
  });

  it('include a skill for agents', async () => {
    const { skills } = await body(await fetch(`${baseUrl}/.well-known/skills/index.json`));
    expect(skills).toMatchObject([{ name: 'tools', files: ['SKILL.md'] }]);
    const skill = await fetch(`${baseUrl}/.well-known/skills/tools/SKILL.md`);
    expect(skill.headers.get('content-type')).toContain('text/markdown');
    const [, frontMatter] = /^---\n(.*?)\n---\n/s.exec(await skill.text())!;
    expect(parse(frontMatter!)).toEqual({ name: 'tools', description: skills[0].description });
    expect(skills[0].description.length).toBeLessThanOrEqual(1024);
  });

  it('are complete in llms-full.txt', async () => {
    const full = await (await fetch(`${baseUrl}/llms-full.txt`)).text();
    for (const { name } of TOOLS) {
      const { markdown } = await body(await get(`?path=/docs/tools/${name}`));
      expect(full).toContain(markdown);
    }
    expect(full).not.toContain('{base_url}');
  });

  it('are in the sitemap with their dates', async () => {
    const response = await fetch(`${baseUrl}/sitemap.xml`);
    expect(response.headers.get('content-type')).toContain('application/xml');
    const text = await response.text();
    const { documents } = await body(await get(''));
    for (const { url, section } of documents) {
      // The tool's page contains the document, so the document's own address redirects to it.
      if (section === 'Tool docs') expect(text).not.toContain(`<loc>${url}</loc>`);
      else expect(text).toContain(`<loc>${url}</loc><lastmod>2`);
    }
  });

  it('include two feeds of the blog', async () => {
    const { documents } = await body(await get('?section=Blog'));
    const atom = await (await fetch(`${baseUrl}/feed.xml`)).text();
    const feed = await body(await fetch(`${baseUrl}/feed.json`));
    expect(feed.version).toBe('https://jsonfeed.org/version/1.1');
    expect(feed.items.map(({ url }: { url: string }) => url)).toEqual(
      documents.map(({ url }: { url: string }) => url),
    );
    expect(atom.match(/<entry>/g) ?? []).toHaveLength(documents.length);
  });

  it('return 304 for a matching ETag', async () => {
    for (const path of ['/llms.txt', '/llms-full.txt', '/sitemap.xml', '/feed.xml', '/feed.json']) {
      const etag = (await fetch(baseUrl + path)).headers.get('etag')!;
      const again = await fetch(baseUrl + path, { headers: { 'If-None-Match': etag } });
      expect(again.status, path).toBe(304);
    }
  });
});
