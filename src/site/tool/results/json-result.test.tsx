import { describe, expect, it } from 'vitest';
import { newFileId } from '../../../lib/file-id.ts';
import { findTool } from '../../../tools/find-tool.ts';
import { textOf } from '../../markup-text.ts';
import { JsonResult } from './json-result.tsx';

const site = { baseUrl: 'https://tools.example', storageUrl: 'https://tools.example' };
const shown = (name: string, value: Record<string, unknown>) =>
  textOf(JsonResult({ tool: findTool(name)!, value, site: site as never }));

describe('a result on a page', () => {
  it('shows a stored file with the expiry in its link, for every tool', async () => {
    const id = newFileId(Date.UTC(2026, 11, 1, 9, 30));
    const url = `${site.storageUrl}/files/${id}/a.webp`;
    for (const tool of ['upload_file', 'compress_image', 'split_image', 'screenshot_url']) {
      const page = await shown(tool, { url, size: 3 });
      expect(page).toContain('Anyone with this link can open it until 2026-12-01 09:30 UTC.');
      expect(page).toContain(`src="${url}"`);
    }
  });

  it('is shown by its tool’s view, which the page loads on demand', async () => {
    const page = await shown('calculate_percentage', { operation: 'of', result: 92 });
    expect(page).toContain('<p class="big"><code>92</code></p>');
    expect(page).toContain('View JSON');
  });

  it('shows the times in a JWT as dates, and ignores claims that are not times', async () => {
    const payload = { iat: 1_700_000_000, nbf: 'soon', exp: 1e300 };
    const token = { header: {}, payload, note: '', expiresAt: null, isExpired: null };
    const page = await shown('decode_jwt', token);
    expect(page).toContain('2023-11-14 22:13:20 UTC');
    expect(page).not.toContain('Valid from');
    expect(page).not.toContain('Expires');
  });

  it('shows the definition’s note for any other link and loads nothing from it', async () => {
    const short = await shown('shorten_url', {
      code: 'abc',
      shortUrl: 'https://tools.example/abc',
    });
    expect(short).toContain('A permanent link.');
    expect(short).not.toContain('lives');
    const foreign = await shown('compress_image', { url: 'https://example.com/files/a.webp' });
    expect(foreign).not.toContain('<img');
  });

  it('labels its fields in plain words', async () => {
    const page = await shown('extract_text_ocr', { text: 'a', language: 'eng', confidence: 0.958 });
    expect(page).toContain('<dt>Language</dt><dd>English</dd>');
    expect(page).toContain('<dt>Confidence</dt><dd>96 %</dd>');
    const both = { text: 'a', language: 'deu', languages: ['deu', 'eng'] };
    expect(await shown('extract_text_ocr', both)).toContain('<dd>German and English</dd>');
  });

  it('labels the facts about a document, and marks the lines between its pages', async () => {
    const metadata = { format: 'pdf', pages: 2, words: 1204, recognised: [1, 2] };
    const page = await shown('parse_document', { text: 'One.\n--- Page 2 ---\n<b>', metadata });
    expect(page).toContain('<dt>Format</dt><dd>PDF</dd><dt>Pages</dt><dd>2</dd>');
    expect(page).toContain('<dt>Words</dt><dd>1,204</dd><dt>Pages read by OCR</dt><dd>1, 2</dd>');
    expect(page).toContain('One.\n<span class="page-mark">--- Page 2 ---</span>\n&lt;b&gt;</code>');
  });

  it('shows and saves text as the content type in the tool’s definition', async () => {
    expect(await shown('generate_sql', { sql: 'SELECT 1' })).toContain('Save as generate_sql.sql');
    expect(await shown('convert_yaml', { formatted: 'a: 1\n' })).toContain('convert_yaml.yaml');
    expect(await shown('convert_yaml', { formatted: '[1]' })).toContain('convert_yaml.json');
    expect(await shown('decode_url', { decoded: '# a' })).toContain('Save as decode_url.txt');
    const outline = await shown('generate_blog_outline', { outline: '# Bread' });
    expect(outline).toContain('Save as generate_blog_outline.md');
    expect(outline).toMatch(/<h\d[^>]*>Bread/);
  });
});
