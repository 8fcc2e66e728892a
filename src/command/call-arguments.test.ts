/** Tests how command lines are converted to parameters. */
import { describe, expect, it } from 'vitest';
import { readCallArguments } from './call-arguments.ts';
import { TOOLS } from './tools.ts';

const read = (name: string, ...args: string[]) => readCallArguments(name, TOOLS[name]!, args);

describe('tool arguments on the command line', () => {
  it('are options typed by the tool’s definition, and files', async () => {
    const given = ['--width', '20', '--grayscale', 'b.jpg', '--format=avif', '-o', 'out/'];
    expect(await read('compress_image', 'a.jpg', ...given)).toMatchObject({
      parameters: { width: 20, grayscale: true, format: 'avif' },
      inputs: ['a.jpg', 'b.jpg'],
      out: 'out/',
    });
  });

  it('accept kebab-case option names and leave values unchanged', async () => {
    const { parameters } = await read('images_to_pdf', '--page-size', 'a-b', 'x.png');
    expect(parameters).toEqual({ pageSize: 'a-b' });
    const { parameters: inOne } = await read('images_to_pdf', '--page-size=--a-b', 'x.png');
    expect(inOne).toEqual({ pageSize: '--a-b' });
  });

  it('accept a repeated option as a list', async () => {
    const { parameters } = await read('split_pdf', 'a.pdf', '--ranges', '1-3', '--ranges', '5');
    expect(parameters).toEqual({ ranges: ['1-3', '5'] });
  });

  it('can turn off an option that is on by default', async () => {
    const { parameters } = await read('fetch_site_logo', 'https://x.test/', '--no-rehost');
    expect(parameters).toEqual({ url: 'https://x.test/', rehost: false });
  });

  it('accept required parameters by position if the tool takes no files', async () => {
    const { parameters } = await read('calculate_percentage', 'of', '10', '--value2', '200');
    expect(parameters).toEqual({ operation: 'of', value1: 10, value2: 200 });
  });

  it('accept a parameter by position when its name is also a common option', async () => {
    expect(await read('format_json', '{"a":1}', '--json')).toMatchObject({
      parameters: { json: '{"a":1}' },
      json: true,
    });
  });

  it.each([
    ['The option --value2 is required. Run: tools', 'calculate_percentage', ['of', '10']],
    ['The option --ranges is required. Run: tools', 'split_pdf', ['a.pdf']],
    ['Unexpected argument "b".', 'encode_base64', ['a', 'b']],
    ['The option --value1 must be a number, not "x".', 'calculate_percentage', ['of', 'x', '1']],
    [
      'The option --value1 must be a number, not "1e999".',
      'calculate_percentage',
      ['of', '1e999', '1'],
    ],
    ['Stdin (-) can be read only once.', 'compare_text', ['-', '-']],
    ['The path after -o is empty.', 'compress_image', ['a.png', '-o', '']],
    ["Unknown option '--txt'. Did you mean --text? Run:", 'encode_base64', ['--txt', 'a']],
    ["'--pagesize'. Did you mean --pageSize? Run:", 'images_to_pdf', ['--pagesize', 'a4', 'x.png']],
    ["Unknown option '--wide'. Run:", 'compress_image', ['--wide', '3', 'x.png']],
  ])('are rejected: %s', async (message, name, args) => {
    await expect(read(name, ...args)).rejects.toThrow(message);
  });
});
