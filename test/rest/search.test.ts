import { describe, expect, it } from 'vitest';
import { offTopic } from '../search/questions.ts';
import { baseUrl, body } from '../support/service.ts';

const search = (fields: unknown) =>
  fetch(`${baseUrl}/api/v1/search`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });

interface Passage {
  score: number;
  text: string;
  path: string;
}

const found = async (query: string, topK?: number): Promise<Passage[]> => {
  const response = await search({ query, topK });
  expect(response.status, query).toBe(200);
  return (await body(response)).passages;
};

describe('POST /api/v1/search', () => {
  it('returns passages with scores, sources and the retrieval method', async () => {
    const answer = await body(await search({ query: 'merge two PDFs' }));
    expect(answer).toMatchObject({ query: 'merge two PDFs', count: 5 });
    expect(answer.retrieval).toMatch(/^(lexical|hybrid)$/);
    expect(answer.passages).toHaveLength(5);
    expect(answer.passages[0]).toEqual({
      score: expect.any(Number),
      text: expect.stringMatching(/^<DATA>[\s\S]+<\/DATA>$/),
      title: expect.any(String),
      path: expect.stringMatching(/merge_pdf$/),
      section: expect.stringMatching(/^Tool/),
      heading: expect.any(String),
      url: expect.stringContaining(`${baseUrl}/`),
    });
    const scores = answer.passages.map(({ score }: Passage) => score);
    expect(scores).toEqual([...scores].sort().reverse());
    for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
  });

  it('generates no answer', async () => {
    const answer = await body(await search({ query: 'merge two PDFs' }));
    expect(Object.keys(answer).sort()).toEqual(['count', 'passages', 'query', 'retrieval']);
  });

  it('returns topK passages, or 5 by default', async () => {
    expect(await found('a PDF file', 1)).toHaveLength(1);
    expect(await found('a PDF file', 10)).toHaveLength(10);
    expect(await found('a PDF file')).toHaveLength(5);
  });

  it.each([
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: ' \n' }, 'query'],
    [{ query: 7 }, 'query'],
    [{ query: ['merge'] }, 'query'],
    [{ query: 'x'.repeat(501) }, 'query'],
    [{ query: 'merge', topK: 0 }, 'topK'],
    [{ query: 'merge', topK: 11 }, 'topK'],
    [{ query: 'merge', topK: 2.5 }, 'topK'],
    [{ query: 'merge', topK: '5' }, 'topK'],
    [{ query: 'merge', topK: null }, 'topK'],
  ])('returns 400 for %j', async (fields, param) => {
    const response = await search(fields);
    expect(response.status).toBe(400);
    expect(await body(response)).toMatchObject({ code: 'bad_request', param });
  });

  it('returns no passage for nine in ten questions that no document answers', async () => {
    const questions = offTopic('tuning');
    const answered = [];
    for (const question of questions) {
      if ((await found(question)).length > 0) answered.push(question);
    }
    expect(answered.length, answered.join('; ')).toBeLessThanOrEqual(questions.length / 10);
  });

  it.each([
    ['compress pdf for gmail', 'compress_pdf'],
    ['mergge two pdfs', 'merge_pdf'],
    ['make a video small enough for whatsapp', 'compress_video'],
    ['decode a jwt from keycloak', 'decode_jwt'],
    ['qr code for my wedding', 'generate_qr_code'],
    ['fake users for prisma', 'generate_fake_data'],
    ['ocr a hungarian invoice', 'extract_text_ocr'],
    ['use the tools from zed over mcp', 'connect-an-ai-client-over-mcp'],
  ])('answers "%s", which contains words that no document has', async (question, document) => {
    const paths = (await found(question)).map(({ path }) => path);
    expect(
      paths.some((path) => path.endsWith(document)),
      paths.join(),
    ).toBe(true);
  });

  it('caches a 400 response under its Idempotency-Key', async () => {
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    };
    const post = (fields: unknown) =>
      fetch(`${baseUrl}/api/v1/search`, { method: 'POST', headers, body: JSON.stringify(fields) });
    const answers = [
      await post({ query: 7 }),
      await post({ query: 7 }),
      await post({ query: 'a' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 422]);
    expect(answers[1]!.headers.get('idempotent-replayed')).toBe('true');
    expect(await body(answers[1]!)).toMatchObject({ code: 'bad_request', param: 'query' });
  });

  it('accepts 500 characters, counted as code points', async () => {
    expect((await search({ query: '😀'.repeat(500) })).status).toBe(200);
    expect((await search({ query: '😀'.repeat(501) })).status).toBe(400);
  });

  it.each([
    '"',
    "'; DROP TABLE passages; --",
    'merge AND (pdf OR NOT "split',
    'NEAR(merge pdf, 5)',
    'title: merge* ^pdf -split + {text heading}: x',
    'AND',
    'a',
    '*',
    '\u0000',
    '\ud800 lone',
    'PDFs zusammenfügen',
    '合并两个PDF文件',
    'دمج ملفات',
    'w '.repeat(250).trim(),
    Array.from({ length: 120 }, (_, n) => `t${n}`)
      .join(' ')
      .slice(0, 500),
  ])('accepts the query %.60j', async (query) => {
    for (const { score, text } of await found(query)) {
      expect(score > 0 && score <= 1).toBe(true);
      expect(text).toMatch(/^<DATA>[\s\S]*<\/DATA>$/);
    }
  });

  it.each(['the of and', 'xyzzy quux', 'weather tomorrow Paris', '🍕'])(
    'finds nothing for %j, which shares no term with any passage',
    async (query) => {
      expect(await found(query)).toEqual([]);
    },
  );

  it('returns passages of at least three documents in five results', async () => {
    for (const query of ['compress_pdf', 'merge_pdf errors', 'text recognition']) {
      const paths = (await found(query, 5)).map(({ path }) => path);
      expect(new Set(paths).size, query).toBeGreaterThanOrEqual(3);
    }
  });

  it('finds documents by synonyms', async () => {
    const paths = (await found('combine documents')).map(({ path }) => path);
    expect(paths.join()).toContain('merge_pdf');
  });

  it('reports unknown fields', async () => {
    const response = await search({ query: 'merge', limit: 3 });
    expect(response.headers.get('x-tool-warnings')).toContain('limit');
  });

  it('refuses another media type, a malformed body and another method', async () => {
    const post = (type: string, text: string) =>
      fetch(`${baseUrl}/api/v1/search`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: text,
      });
    expect((await post('text/plain', 'merge')).status).toBe(415);
    expect((await post('application/json', '{"query":')).status).toBe(400);
    expect((await fetch(`${baseUrl}/api/v1/search`)).status).toBe(405);
  });
});
