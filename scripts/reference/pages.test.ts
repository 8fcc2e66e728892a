import { describe, expect, it } from 'vitest';
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import type { ReferenceField } from '../../src/core/reference.ts';
import { TOOLS } from '../../src/tools/registry.ts';
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
    for (const { id, calls, results, responses } of pages) {
      expect(
        calls.map(({ name }) => name),
        id,
      ).toEqual(['curl', 'TypeScript', 'Python']);
      expect(results.length > 0, id).toBe(responses.every(({ status }) => status !== '204'));
      for (const { html } of calls) expect(html, id).toContain('{base_url}/');
    }
  });

  const fieldsOf = (tool: string, title: string) => {
    const { groups } = pages.find(({ id }) => id === tool)!;
    return groups.find((group) => group.title === title)?.fields ?? [];
  };
  const namesOf = (tool: string, title: string) => fieldsOf(tool, title).map(({ name }) => name);
  const LINK = ['url', 'filename', 'contentType', 'size', 'expiresAt', 'deleteToken'];

  it.each([
    ['merge_pdf', ['pages', 'inputBytes']],
    ['compress_pdf', ['pages', 'inputBytes']],
    ['split_image', ['inputBytes']],
    ['generate_image', ['width', 'height']],
  ])('lists the facts that the file of %s has, and no others', (tool, facts) => {
    expect(namesOf(tool, 'Result as a link')).toEqual([...LINK, ...facts]);
  });

  it.each([
    ['compress_image', [...LINK, 'width', 'height', 'inputBytes'].sort()],
    ['extract_text_ocr', [...LINK, 'pages', 'inputBytes'].sort()],
  ])('folds the link of %s, which can replace its file', (tool, names) => {
    const { groups } = pages.find(({ id }) => id === tool)!;
    const folded = groups.filter(({ isFolded }) => isFolded);
    expect(folded.map(({ fields }) => fields.map(({ name }) => name).sort())).toEqual([names]);
    expect(folded[0]!.title).toContain('`Accept: application/json`');
    expect(fieldsOf(tool, 'Result as a link')).toEqual([]);
  });

  it('lists Accept under the headers of each call that can return a file or JSON', () => {
    const listed = pages.filter(({ id }) => namesOf(id, 'Headers').includes('Accept'));
    const made = TOOLS.filter((tool) => isExecutable(tool) && tool.produces).map(
      ({ name }) => name,
    );
    expect(listed.map(({ id }) => id).sort()).toEqual(['executeTool', ...made].sort());
  });

  it('shows an example of an error for every tool that refuses an empty call', () => {
    const without = pages.filter(({ isTool, error }) => isTool && !error).map(({ id }) => id);
    expect(without).toEqual(['generate_text']);
    const { error } = pages.find(({ id }) => id === 'encode_base64')!;
    expect(error!.html).toContain('bad_request');
  });

  it('shows the address of a how-to only in results that list documents', () => {
    const shown = pages.filter(({ results }) =>
      results.some(({ html }) => html.includes('/how-to/')),
    );
    expect(shown.map(({ id }) => id)).toEqual(['search', 'getContent']);
    const { results } = pages.find(({ id }) => id === 'createInput')!;
    expect(results[0]!.html).toMatch(/{base_url}\/files\/\w+\/photo\.jpg/);
  });

  it('separates the JSON result from the link to a file', () => {
    expect(namesOf('merge_pdf', 'Result')).toEqual([]);
    expect(namesOf('extract_text_ocr', 'Result as JSON')).toEqual(
      expect.arrayContaining(['text', 'confidence', 'pages']),
    );
    expect(namesOf('extract_text_ocr', 'Result as JSON')).not.toContain('url');
  });

  it.each([
    ['merge_pdf', 'Either `files` or `fileUrls` is required.'],
    ['compress_pdf', 'Either `file` or `fileUrl` is required.'],
    ['compress_image', 'Either `file` or `fileUrl` is required.'],
    ['extract_text_ocr', 'Either `file` or `fileUrl` is required.'],
  ])('states that %s requires its files, as parts or as links', (tool, sentence) => {
    const [files, links] = fieldsOf(tool, 'Form fields');
    expect(files!.meaning).toContain(sentence);
    expect(links!.name).toMatch(/^fileUrls?$/);
  });

  it('shows a file response also as JSON', () => {
    const names = (tool: string) =>
      pages.find(({ id }) => id === tool)!.results.map(({ name }) => name);
    const both = ['Example response', 'Example response with Accept: application/json'];
    expect(names('merge_pdf')).toEqual(both);
    expect(names('compress_image')).toEqual(both);
    expect(names('compress_pdf')).toEqual(both);
    expect(names('extract_text_ocr')).toEqual(['Example response']);
  });

  it('states first which calls return JSON and which a file, if a tool does both', () => {
    const warned = pages.filter(({ warning }) => warning).map(({ id }) => id);
    expect(warned.sort()).toEqual(['compress_image', 'extract_text_ocr']);
    expect(pages.find(({ id }) => id === 'compress_image')!.warning).toMatch(
      /^For inputs of 5 MB or more, the response is JSON with a link/,
    );
  });

  it.each([
    ['merge_pdf', '2 to 100 files, 50 MB each, 64 MB together.'],
    ['compress_video', 'At most 5 MB.'],
    ['compress_image', 'At most 50 MB.'],
  ])('states how many and how large the files of %s can be: %s', (tool, limits) => {
    expect(fieldsOf(tool, 'Form fields')[0]!.meaning).toContain(limits);
  });

  it.each([
    ['merge_pdf', '403', 'The request is from a page of another origin or the caller is blocked'],
    ['merge_pdf', '409', 'The first request with this Idempotency-Key is still running'],
    ['merge_pdf', '501', undefined],
    ['merge_pdf', '502', 'A linked file could not be fetched'],
    ['encode_base64', '502', undefined],
    ['encode_base64', '504', undefined],
    ['screenshot_url', '403', expect.stringMatching(/^Screenshots are switched off, /)],
    ['shorten_url', '409', expect.stringMatching(/^The requested name is taken or the first /)],
    ['humanize_text', '401', expect.stringMatching(/^The tool needs an account or the key /)],
    ['humanize_text', '501', 'The call needs a model that is not configured'],
    ['executeTool', '501', expect.stringMatching(/^The tool runs in the browser only or /)],
  ])('lists the errors that %s can give: %s %s', (id, status, description) => {
    const { responses } = pages.find((page) => page.id === id)!;
    expect(responses.find((response) => response.status === status)?.description).toEqual(
      description,
    );
  });

  it('saves a file with curl only if the call succeeds', () => {
    for (const { id, calls } of pages) {
      const curl = calls[0]!.html.replace(/<[^>]+>/g, '');
      expect(curl.includes('--fail-with-body'), id).toBe(/ -(o |OJ)/.test(curl));
    }
  });

  it('saves a file or JSON under its own name if a tool returns either', () => {
    const { calls } = pages.find(({ id }) => id === 'compress_image')!;
    const [curl, typescript, python] = calls.map(({ html }) => html.replace(/<[^>]+>/g, ''));
    expect(curl).toContain('-OJ -w');
    expect(curl).not.toContain('photo.webp');
    for (const code of [typescript, python]) expect(code).toContain('application/json');
  });

  it('describes every response', () => {
    const missing = pages.flatMap(({ id, responses }) =>
      responses
        .filter(({ description }) => !/^\S+ /.test(description))
        .map(({ status }) => [id, status]),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['compress_image', 'quality', { control: 'number', minimum: 0.1, maximum: 1, standard: '0.9' }],
    ['compress_image', 'format', { control: 'choice', standard: '"webp"' }],
    ['compress_image', 'grayscale', { control: 'choice', values: ['true', 'false'] }],
    ['compare_text', 'text1', { control: 'text', isRequired: true, mayBeEmpty: true }],
    ['split_pdf', 'ranges', { control: 'json', type: 'array of string', isRequired: true }],
    ['screenshot_url', 'selector', { control: 'line', isRequired: false }],
    ['executeTool', 'tool', { control: 'choice' }],
    ['executeTool', 'parameters', { control: 'json', type: 'object' }],
    ['search', 'topK', { control: 'number', type: 'integer', maximum: 10 }],
    ['runChain', 'toolChain', { control: 'json' }],
  ])('has a control in the form of %s for %s', (id, name, expected) => {
    const { fields } = pages.find((page) => page.id === id)!.request;
    expect(fields.find((field) => field.name === name)).toMatchObject(expected);
  });

  it('has a control for each field of a tool, except for its files', () => {
    for (const { id, groups, request } of pages.filter((page) => page.isTool)) {
      const [body] = groups.filter(({ title }) => ['Body', 'Form fields'].includes(title));
      const names = body!.fields
        .filter(({ type }) => !/\bfile$/.test(type))
        .map(({ name }) => name);
      expect(request.fields.map(({ name }) => name).sort(), id).toEqual(names.sort());
    }
  });

  it('fills the parameters of a request from the example', () => {
    const examples = (id: string) =>
      pages.find((page) => page.id === id)!.request.parameters.map(({ example }) => example);
    expect(examples('getContent')).toEqual([undefined, 'How-to', '1', undefined]);
    expect(examples('deleteFile').sort()).toEqual(['DELETE_TOKEN', 'FILE_ID', 'notes.txt']);
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
