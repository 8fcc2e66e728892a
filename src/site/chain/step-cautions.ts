/** Finds steps that run but may not do what the visitor wants. */
import { feedsOf, IMAGE_DATA, referencesIn, sourceOf } from './data-flow.ts';
import { type Step, UPLOAD } from './steps.ts';

/** The compressed image formats that a PDF can contain unchanged. */
const IN_PDF = ['jpeg', 'png'];

/**
 * Whether the step at `index` puts images into a PDF that cannot contain their format. They are then stored losslessly,
 * which makes photos larger.
 */
export function growsInPdf(steps: readonly Step[], index: number): boolean {
  const before = steps[index - 1];
  return (
    steps[index]!.tool.name === 'images_to_pdf' &&
    before?.tool.name === 'compress_image' &&
    !before.parameters.keepFormat &&
    !IN_PDF.includes(String(before.parameters.format))
  );
}

/** Whether the step takes a file and has the same tool and parameters as the previous step. */
export function isRepeated(steps: readonly Step[], index: number): boolean {
  const before = steps[index - 1];
  const { tool, parameters } = steps[index]!;
  return (
    tool.files !== undefined &&
    before?.tool === tool &&
    JSON.stringify(before.parameters) === JSON.stringify(parameters)
  );
}

/** Whether the step creates a short link to a stored file. The file expires before the link. */
export function linksToFile(steps: readonly Step[], index: number): boolean {
  const { tool, parameters } = steps[index]!;
  if (tool.name !== 'shorten_url') return false;
  const { url } = parameters;
  if (typeof url === 'string' && /\/files\/[\w-]{20,}\//.test(url)) return true;
  const sources =
    url === undefined ? [index - 1] : referencesIn(url).map((one) => sourceOf(one, index, steps));
  return sources.some((at) => STORING.has(steps[at]?.tool.name ?? '') || steps[at]?.tool.produces);
}

/** The tools whose result is JSON with a link to a stored file. */
const STORING = new Set([UPLOAD, 'screenshot_url', 'fetch_site_logo']);

/** Whether the step receives the image of the previous step as text, which few tools can use. */
export function takesImageAsText(steps: readonly Step[], index: number): boolean {
  return feedsOf(steps, index).some(({ from }) => from === `${IMAGE_DATA} of step ${index}`);
}
