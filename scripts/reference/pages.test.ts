import { describe, expect, it } from 'vitest';
import type { ReferenceField } from '../../src/core/reference.ts';
import { readDocuments } from '../content/sources.ts';
import { referencePages } from './pages.ts';

const pages = referencePages(readDocuments());

describe('the API reference', () => {
  it('describes every field', () => {
    const without: string[] = [];
    let count = 0;
    const look = (path: string, { name, meaning, fields }: ReferenceField) => {
      count += 1;
      if (meaning.trim() === '') without.push(`${path} › ${name}`);
      // The description of a field must not state the same range twice.
      expect(meaning, `${path} › ${name}`).not.toMatch(/(\b[\d.]+ to [\d.]*\d)\b.*\1/i);
      for (const field of fields) look(`${path} › ${name}`, field);
    };
    for (const { id, groups } of pages)
      for (const { title, fields } of groups)
        for (const field of fields) look(`${id} › ${title}`, field);
    expect(without).toEqual([]);
    expect(count).toBeGreaterThan(500);
  });

  it('shows a call in three languages, and its response unless that has no body', () => {
    for (const { id, calls, result, responses } of pages) {
      expect(
        calls.map(({ name }) => name),
        id,
      ).toEqual(['curl', 'TypeScript', 'Python']);
      expect(result !== undefined, id).toBe(responses.every(({ status }) => status !== '204'));
      for (const { html } of calls) expect(html, id).toContain('{base_url}/');
    }
  });

  it('describes every response', () => {
    const missing = pages.flatMap(({ id, responses }) =>
      responses
        .filter(({ description }) => !/^\S+ /.test(description))
        .map(({ status }) => [id, status]),
    );
    expect(missing).toEqual([]);
  });

  it('highlights code without changing it', () => {
    const { calls } = pages.find(({ id }) => id === 'createUpload')!;
    const [curl] = calls;
    expect(curl!.html).toContain('<span class="hljs-string">');
    const text = curl!.html
      .replace(/<[^>]+>/g, '')
      .replaceAll('&#x27;', "'")
      .replaceAll('&quot;', '"');
    expect(text).toContain(
      `-H 'Content-Type: application/json' \\\n  -d '{"filename":"photo.jpg"}'`,
    );
  });
});
