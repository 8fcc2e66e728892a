import { expect, it } from 'vitest';
import type { App, AppContext } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { runSteps } from './run-steps.ts';
import { newStep, type Step } from './steps.ts';

const step = (tool: string, parameters = {}) => newStep(findTool(tool)!, tool, parameters);

const REFUSED = 'The file photo.bin is not a PDF. Send only PDFs.';
const LINK = `https://tools.example/files/${'a'.repeat(24)}/photo.bin`;

/** Runs the steps on an API whose second step fails because of its file. Returns the outcomes. */
async function failing(steps: readonly Step[], first: Record<string, unknown>) {
  const results = [
    { status: 'succeeded', result: first, durationMs: 1 },
    { status: 'failed', error: { error: REFUSED, param: 'fileUrl' }, durationMs: 1 },
  ];
  const app = { fetch: async () => Response.json({ results }) } as unknown as App;
  const request = new Request('https://tools.example/chains');
  const req = { url: request.url, raw: request, header: () => undefined };
  const outcome = await runSteps(app, { req } as unknown as AppContext, steps);
  return 'steps' in outcome ? outcome.steps : [];
}

it('names the step that created a refused file, instead of a field that the visitor left empty', async () => {
  const upload = { ...step('upload_file'), values: { links: LINK } };
  const steps = [upload, step('images_to_pdf'), step('compress_pdf')];
  const [, , failed] = await failing(steps, { url: LINK, filename: 'photo.bin' });
  expect(failed).toMatchObject({ message: `${REFUSED} Step 2 created this file.` });
  expect(failed).not.toHaveProperty('param');
});

it('shows the error about an entered link at its field', async () => {
  const steps = [step('encode_url', { url: 'a b' }), step('compress_pdf', { fileUrl: LINK })];
  const [, failed] = await failing(steps, { encoded: 'a' });
  expect(failed).toMatchObject({ message: REFUSED, param: 'fileUrl' });
});
