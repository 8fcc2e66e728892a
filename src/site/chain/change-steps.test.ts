import { expect, it } from 'vitest';
import { changeSteps } from './change-steps.ts';

const added = (name: string) => changeSteps([], `add ${name}`).steps.at(-1)!;

it.each([
  ['images_to_pdf', { pageSize: 'a4', orientation: 'auto' }],
  ['compress_image', { quality: 0.8, keepAspectRatio: true }],
  ['parse_document', { ocr: 'auto' }],
  ['split_pdf', {}],
])('a new step with %s starts with the values of the form on its page', (name, parameters) => {
  expect(added(name).parameters).toEqual(parameters);
});

it('prefers the example to the form in the first step, and shows the values in its fields', () => {
  const { parameters, values } = added('screenshot_url');
  expect(parameters).toMatchObject({ url: expect.any(String), blockAds: true });
  expect(values.blockAds).toBe('true');
});
