import { describe, expect, it } from 'vitest';
import { type CallShape, callCode } from './call-code.ts';

const SHAPE: CallShape = {
  url: 'https://tools.example/api/v1/tools/execute',
  tool: 'split_pdf',
  part: 'file',
  needsKey: false,
  ending: 'any',
  fileWith: {},
  mayBeJson: false,
};
const codes = (
  parameters: Record<string, unknown>,
  files: string[] = [],
  others: Partial<CallShape> = {},
) => callCode({ ...SHAPE, ...others }, parameters, files).map(({ code }) => code);

describe('the code of a call', () => {
  it('escapes quotes and semicolons of a filename for shell, TypeScript and Python', () => {
    const [curl, typescript, python] = codes({}, [`it's "1"; 2.pdf`]);
    expect(curl).toContain(String.raw`-F 'file=@"it'\''s \"1\"; 2.pdf"'`);
    expect(typescript).toContain(String.raw`await openAsBlob('it\'s "1"; 2.pdf')`);
    expect(python).toContain(String.raw`open("it's \"1\"; 2.pdf", "rb")`);
  });

  it('sends a text with a semicolon whole', () => {
    expect(codes({ text: 'a;b' }, ['a.pdf'])[0]).toContain(
      `--form-string parameters='{"text":"a;b"}'`,
    );
  });

  it('takes the file extension from the response if it varies between calls', () => {
    const [curl, typescript, python] = codes({}, ['a.pdf']);
    expect(curl).toMatch(/-OJ$/);
    expect(typescript).toContain("'result.' + response.headers.get('Content-Type').split('/')[1]");
    expect(python).toContain('"result." + response.headers["Content-Type"].split("/")[1]');
  });

  it('reads JSON or a file if the result may be either', () => {
    const [curl, typescript, python] = codes({}, ['a.jpg'], { mayBeJson: true });
    expect(curl).toContain(String.raw`-OJ -w '%{content_type}: %{filename_effective}\n'`);
    expect(typescript).toMatch(/'application\/json'\) console\.log\(.*\);\nelse await writeFile\(/);
    expect(python).toMatch(/"application\/json":\n {4}print\(.*\)\nelse:\n {4}open\(/);
  });

  it('saves a file only with the parameters that request one', () => {
    const ocr = { fileWith: { output: 'pdf' }, ending: 'pdf' };
    for (const code of codes({ output: 'pdf' }, ['a.png'], ocr))
      expect(code).toContain('result.pdf');
    for (const code of codes({}, ['a.png'], ocr)) expect(code).not.toContain('result.pdf');
  });

  it('is replaced by a note if it is too long for a command', () => {
    for (const code of codes({ text: 'a'.repeat(100_001) })) {
      expect(code).toMatch(/^(#|\/\/) The input has more than 100,000 characters/);
      expect(code.length).toBeLessThan(200);
    }
  });
});
