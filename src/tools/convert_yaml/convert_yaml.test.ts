import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { convertYamlHere } from './in-browser.ts';

const convert = async (text: string, to?: string) =>
  (await runTool(convertYamlHere, { text, to })).value.formatted;

describe('convert_yaml', () => {
  it('converts YAML to JSON', async () => {
    const yaml = 'a: &x [1, no, "2"] # comment\nb: *x\nc: |\n  two\n  lines\n';
    const value = { a: [1, 'no', '2'], b: [1, 'no', '2'], c: 'two\nlines\n' };
    expect(JSON.parse(String(await convert(yaml)))).toEqual(value);
  });

  it('converts several documents to an array', async () => {
    expect(JSON.parse(String(await convert('a: 1\n---\nb: 2\n')))).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('converts JSON to YAML', async () => {
    expect(await convert('{"a":[1,"2",null],"b":{}}', 'yaml')).toBe(
      'a:\n  - 1\n  - "2"\n  - null\nb: {}\n',
    );
  });

  it.each([
    [' {"a":1}', 1],
    ['[1]', 1],
    ['42', 0],
    ['{a: 1}', 0],
    ['a: 1', 0],
  ])('suggests YAML if the text to convert to JSON is JSON: %s', async (text, count) => {
    const { warnings } = await runTool(convertYamlHere, { text, to: 'json' });
    expect(warnings).toHaveLength(count);
  });

  it('keeps all digits of large integers', async () => {
    const yaml = 'id: 1234567890123456789\n';
    expect(await convert(yaml)).toBe('{\n  "id": 1234567890123456789\n}');
    expect(await convert('{"id":1234567890123456789}', 'yaml')).toBe(yaml);
    expect(await convert('{"a":1e300,"b":0.1}', 'yaml')).toBe('a: 1e+300\nb: 0.1\n');
  });

  it('applies merge keys', async () => {
    const yaml = 'base: &b {image: web, port: 80}\nweb: {<<: *b, port: 81}\n';
    expect(JSON.parse(String(await convert(yaml))).web).toEqual({ image: 'web', port: 81 });
  });

  it('quotes strings that YAML 1.1 reads as another type', async () => {
    expect(await convert('{"on":"no","at":"12:30:45"}', 'yaml')).toBe(
      '"on": "no"\nat: "12:30:45"\n',
    );
  });

  it('reports the line of an error', async () => {
    await expect(convert('a: [1\nb: 2')).rejects.toMatchObject({
      param: 'text',
      message: expect.stringContaining('line 2'),
    });
    await expect(convert('{\n  "a": oops\n}', 'yaml')).rejects.toMatchObject({
      param: 'text',
      message: 'The JSON is invalid at line 2, column 8: expected a value, but found oops.',
    });
  });

  it.each([
    ['a: 1\n b: 2', '2, column 2', 1],
    ['x: 0\nlist:\n  - a: x y\n\n      b: 2', '5, column 7', 3],
  ])('reports the indented line of %j', async (yaml, line, above) => {
    await expect(convert(yaml)).rejects.toMatchObject({
      message: `The YAML is invalid: line ${line} is indented more than line ${above}, which already has a value. Indent both lines equally.`,
    });
  });

  it.each([
    ['a: b: c', 'a value contains ": " at line 1, column 4. Put the value in quotes'],
    ['a:\n\t- b', 'a line is indented with a tab at line 2, column 1. Use spaces.'],
    ['a:\n  b: 1\n c: 2', 'a line is indented differently from the lines beside it at line 3'],
    ['a: 1\na: 2', 'a key occurs twice at line 2, column 1.'],
    ['a: 1\nb', 'a key has no value at line 2, column 1. Add a colon'],
    ['a: [1, 2', 'a list has no closing ] at line 1, column 9.'],
    ['a:1\nb: 2', 'a line is not of the form "key: value" at line 1, column 1.'],
    ['a: "say "hi""', 'text follows a complete value at line 1, column 10.'],
  ])('explains the error in %j', async (yaml, reason) => {
    await expect(convert(yaml)).rejects.toMatchObject({
      message: expect.stringContaining(`The YAML is invalid: ${reason}`),
    });
  });

  it('warns of a number that YAML 1.1 reads as octal', async () => {
    const warningsOf = async (text: string) => (await runTool(convertYamlHere, { text })).warnings;
    expect(await warningsOf('a: 1\nmode: 0755\n---\nmode: 0644')).toEqual([
      '0755 at line 2, column 7 is 755 in YAML 1.2, but 493 in YAML 1.1, which reads it as octal. Quote it, or write 0o for octal.',
    ]);
    expect(await warningsOf('a: 1\n---\n[010]')).toHaveLength(1);
    const others = 'a: "0755"\nb: 0o755\nc: 07\nd: 0899\ne: !!str 0755\nf: |\n  0755\n';
    expect(await warningsOf(others)).toEqual([]);
    expect(await warningsOf('%YAML 1.1\n---\nmode: 0755')).toEqual([]);
  });

  it.each(['name: Ada\ntags: [x]', '- a\n- b', '--- # c\na: 1\n---\nb: 2'])(
    'suggests the other direction for %j',
    async (yaml) => {
      await expect(convert(yaml, 'yaml')).rejects.toMatchObject({
        message: 'This is YAML, not JSON. Choose JSON under "Convert to".',
      });
    },
  );

  it.each(['', 'oops', 'a: [1', '{a: 1}', '[1, 2'])('reports that %j is not JSON', async (text) => {
    await expect(convert(text, 'yaml')).rejects.toMatchObject({
      message: expect.stringMatching(/^The JSON is invalid at line 1/),
    });
  });

  it('rejects aliases that would expand without limit', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi']
      .map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(9).slice(0, -1)}]`)
      .join('\n')}`;
    await expect(convert(bomb)).rejects.toMatchObject({
      message: expect.stringContaining('alias'),
    });
  });
});
