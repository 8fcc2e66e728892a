/**
 * Generates the files of a new tool that processes an image in the media worker. They work and pass their tests before
 * the placeholders are filled in.
 */
import { type NewTool, sections } from './new-tool.ts';

export function fileToolFiles(tool: NewTool): Record<string, string> {
  const { name } = tool;
  const folder = `src/tools/${name}`;
  return {
    [`${folder}/${name}.ts`]: definition(tool),
    [`${folder}/${name}.media.test.ts`]: test(tool),
    [`${folder}/${name}.md`]: documentText(tool),
    [`${folder}/sample.ts`]: sample(tool),
    [`containers/media/operations/image/${name}.work.ts`]: work(tool),
  };
}

const definition = ({ name, constant, title, shortName }: NewTool) => `/**
 * ${name}: FILL IN: what it does, and the specification that it follows. It runs as an operation of the media worker.
 */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import { file } from '../../core/tool-output.ts';
import { stemOf } from '../../lib/filename.ts';

export const ${constant} = defineTool({
  name: '${name}',
  title: '${title}',
  shortName: '${shortName}',
  // FILL IN: the kind, one of KINDS in core/define-tool.ts.
  kind: 'media',
  // FILL IN: the name of an icon on https://lucide.dev.
  icon: 'wrench',
  domain: null,
  description: 'FILL IN: what it does, when to use it, what it returns, the limits that matter.',
  input: z.strictObject({
    width: z.int().min(1).default(200).describe('FILL IN: the parameters. This one is in pixels.'),
  }),
  // FILL IN: the formats of the result.
  produces: ['image/png'],
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['image'] },
  example: { parameters: { width: 300 }, files: ['photo.jpg'] },
  access: 'anyone',
  limits: [{ calls: 30, per: 'hour', by: 'ip' }],
  surfaces: ['rest', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media'],
  async run(parameters, { files, media, signal }) {
    const input = files[0]!;
    const made = await media.run('${name}', parameters, files, signal);
    const facts = { width: Number(made.meta.width), height: Number(made.meta.height) };
    const filename = \`\${stemOf(input.name)}.png\`;
    return file(made.body, made.contentType, filename, { size: made.size, facts });
  },
});
`;

const work = ({ name }: NewTool) => `/**
 * ${name}: FILL IN: what it does to an image. Runs in an image process.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onlyFile } from '../only-file.ts';
import { permissionFor } from './large-images.ts';
import { checkOutputSize, openImage, withImageErrors } from './open-image.ts';
import type { ImageWork } from './process/image-tasks.ts';

export const work: ImageWork = async (params, files, directory) => {
  const image = await openImage(onlyFile(files, '${name}'));
  // FILL IN: the work. This scales the image to a width; a result the size of the input needs no checkOutputSize.
  const width = Number(params.width);
  const height = Math.max(1, Math.round(width / image.proportion));
  checkOutputSize(width, height, 1, 'width');
  await permissionFor(width * height);
  const encoded = image.open().resize({ width, height, fit: 'fill' }).png();
  const { data, info } = await withImageErrors(image.name, () =>
    encoded.toBuffer({ resolveWithObject: true }),
  );
  const path = join(directory, 'result');
  await writeFile(path, data);
  const meta = { width: info.width, height: info.height };
  return { contentType: 'image/png', path, size: data.length, meta };
};
`;

const test = ({ name, constant }: NewTool) => `import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { mediaOperations } from '../../../test/support/media-operations.ts';
import { runTool } from '../../../test/support/run-tool.ts';
import { memoryFile } from '../../core/input-file.ts';
import { ${constant} } from './${name}.ts';

/** Runs the tool, with the real operation, on an image of 40 by 20 pixels. */
async function run(parameters: Record<string, unknown>) {
  const source = sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } });
  const given = memoryFile('image.jpg', new Uint8Array(await source.jpeg().toBuffer()));
  const ports = { media: mediaOperations };
  const { file } = await runTool(${constant}, parameters, { files: [given], ports });
  const bytes = await new Response(file.body as BodyInit).arrayBuffer();
  return { file, image: await sharp(bytes).metadata() };
}

describe('${name}', () => {
  it('FILL IN: a fact about the tool, in one sentence', async () => {
    const { file, image } = await run({ width: 10 });
    expect(file).toMatchObject({ contentType: 'image/png', filename: 'image.png' });
    expect(file.facts).toMatchObject({ width: 10, height: 5 });
    expect(image).toMatchObject({ format: 'png', width: 10, height: 5 });
  });

  // FILL IN: an invalid value of a parameter.
  it('refuses a width that is not a positive integer', async () => {
    await expect(run({ width: 0 })).rejects.toMatchObject({ status: 400, param: 'width' });
  });

  it('refuses a file that is not an image', async () => {
    const files = [memoryFile('notes.txt', new TextEncoder().encode('no image'))];
    const ports = { media: mediaOperations };
    await expect(runTool(${constant}, {}, { files, ports })).rejects.toMatchObject({
      status: 400, param: 'file',
    });
  });
});
`;

const sample = ({
  name,
}: NewTool) => `/** The sample call to ${name} that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

// FILL IN: a call and its result.
export const sample: Sample = {
  parameters: { width: 300 },
  files: ['photo.jpg'],
  result: 'image/png',
  shows: 'Save photo.png',
};
`;

const example = (name: string, file: string, width: number, size: string) => `\`\`\`sh
curl -s --fail-with-body {base_url}/api/v1/tools/execute \\
  -F tool=${name} -F 'parameters={"width":${width}}' -F file=@${file} -o result.png
ffprobe -v error -show_entries stream=width,height -of csv=p=0 result.png
\`\`\`

\`\`\`text output
${size}
\`\`\`
`;

const documentText = (tool: NewTool) =>
  sections(tool, {
    examples: `### FILL IN: what the example shows

${example(tool.name, 'photo.jpg', 300, '300,400')}
### FILL IN: another example

${example(tool.name, 'logo.svg', 64, '64,64')}
### FILL IN: a third example

${example(tool.name, 'screenshot.png', 320, '320,200')}`,
    errors: `- 400, \`param: file\`: not an image, or a damaged one. FILL IN: the other errors.

\`\`\`sh
curl -s {base_url}/api/v1/tools/execute -F tool=${tool.name} -F file=@report.pdf
\`\`\`

\`\`\`json output
{ "error": "…", "code": "bad_request", "requestId": "…", "param": "file" }
\`\`\``,
  });
