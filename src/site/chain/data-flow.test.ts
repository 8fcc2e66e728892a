import { expect, it } from 'vitest';
import { findTool } from '../../tools/find-tool.ts';
import { toolChainOf } from './chain-calls.ts';
import { feedsOf } from './data-flow.ts';
import { newStep } from './steps.ts';

const step = (tool: string, parameters = {}) => newStep(findTool(tool)!, tool, parameters);

it('names the facts of a file together with the file', () => {
  const steps = [step('screenshot_url'), step('compress_image', { format: 'webp' })];
  expect(feedsOf(steps, 1)).toEqual([
    { from: 'Uses the file, width and height of step 1', to: '' },
  ]);
});

it('passes the link of an uploaded file, and no facts about it, to a tool that takes text', () => {
  const steps = [step('upload_file'), step('generate_qr_code')];
  expect(feedsOf(steps, 1)).toEqual([{ from: 'the link of step 1', to: 'Text or link' }]);
  expect(toolChainOf(steps)).toMatchObject([{ parameters: { text: 'FILE_URL' } }]);
});
