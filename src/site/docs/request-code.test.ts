import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../core/reference.ts';
import { ANY_FILE, requestCode } from './request-code.ts';

const codes = (request: Partial<SentRequest>) =>
  requestCode({
    method: 'POST',
    url: 'https://tools.example/api/v1/tools/split_pdf',
    headers: {},
    reads: 'json',
    ...request,
  }).map(({ code }) => code);
const form = (fields: Record<string, unknown>, files = ['a.pdf']) => ({
  form: { fields, part: 'file', files },
});

describe('the code of a request', () => {
  it('sends values unchanged that curl would otherwise interpret', () => {
    const values = ['a;b', '@secret', '<secret', '"a"', ' a', 'a ', '(', ''];
    for (const value of values)
      expect(codes(form({ text: value }))[0], value).toMatch(/--form-string '?text=/);
    expect(codes(form({ text: 'a b' }))[0]).toContain("-F 'text=a b'");
  });

  it('escapes quotes of values, of filenames and of addresses', () => {
    const [curl, typescript, python] = codes({
      ...form({ text: `it's "1"` }, [`it's 2.pdf`]),
      url: `https://tools.example/it's`,
    });
    expect(curl).toContain(String.raw`curl 'https://tools.example/it'\''s'`);
    expect(curl).toContain(String.raw`--form-string 'text=it'\''s "1"'`);
    expect(curl).toContain(String.raw`-F 'file=@"it'\''s 2.pdf"'`);
    expect(typescript).toContain(String.raw`form.append('text', 'it\'s "1"');`);
    expect(typescript).toContain(String.raw`openAsBlob('it\'s 2.pdf'), 'it\'s 2.pdf'`);
    expect(typescript).toContain(String.raw`fetch('https://tools.example/it\'s'`);
    expect(python).toContain(String.raw`data={"text": "it's \"1\""}`);
    expect(python).toContain(`open("it's 2.pdf", "rb")`);
  });

  it('sends each item of a list as a part, and other values that are no text as JSON', () => {
    const [curl, typescript, python] = codes(
      form({ ranges: ['1', '2-3'], gray: true, step: { a: 1 }, none: [] }),
    );
    for (const part of ['ranges=1', 'ranges=2-3', 'gray=true', `'step={`, `'none=[]'`])
      expect(curl).toContain(part);
    expect(typescript).toContain(`form.append('step', '{"a":1}');`);
    expect(python).toContain(
      String.raw`data={"ranges": ["1", "2-3"], "gray": "true", "step": "{\"a\":1}", "none": "[]"}`,
    );
  });

  it('names a file after its type if the type depends on the request', () => {
    const [curl, typescript, python] = codes({ ...form({}), reads: ANY_FILE });
    expect(curl).toMatch(/--fail-with-body -OJ$/);
    for (const code of [typescript, python]) expect(code).toMatch(/['"]result\.['"] \+ /);
  });

  it('is replaced by a note if it is too long for a command', () => {
    for (const code of codes({ body: { text: 'a'.repeat(100_001) } }))
      expect(code).toMatch(/^(#|\/\/) The input has more than 100,000 characters/);
  });
});
