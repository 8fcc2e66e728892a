/** Determines which tools can use a step's result. */
import { linkNameOf, type Tool } from '../../core/define-tool.ts';
import { fillingField, lackingOf } from '../../execute/feed.ts';
import { type Field, fieldsOf } from '../tool/fields.ts';
import { isUpload, type Step, UPLOAD } from './steps.ts';

/**
 * The result fields that do not count as text. They can fill any text parameter, but few visitors want to process a
 * link or an image as text.
 */
const NOT_TEXTS = ['url', 'dataUrl'];
/** The parameters that take code. The text of a document or a model is rarely code. */
const CODE = ['encoded', 'token', 'json'];

/** Whether visitors are likely to want `tool` after the step. A tool that does not fit can still be added. */
export function fitsAfter(step: Step, tool: Tool): boolean {
  if (isUpload(step)) return tool.files !== undefined && tool.name !== UPLOAD;
  // Repeating such a step adds nothing. A tool with a different result in each call, such as a model, can be useful
  // twice.
  if (tool === step.tool && tool.annotations.idempotent) return false;
  const filling = (name: string) => fillingField(tool, {}, name, step);
  const link = linkNameOf(tool);
  if (link && filling(link) !== null && takesFileOf(producedBy(step), tool)) return true;
  const { output, produces } = step.tool;
  // A step without JSON output returns only a link to a file, which suits only tools that take files.
  if (!output) return false;
  return lackingOf(tool, {}).some((name) => {
    const field = filling(name);
    if (field === null) return false;
    if (name === 'url') return !produces && /^(url|shortUrl)$/.test(field);
    return !NOT_TEXTS.includes(field) && !(field === 'text' && CODE.includes(name));
  });
}

const ZIP = 'application/zip';

/**
 * Returns the list that makes the step's result a ZIP because it has several lines. Returns undefined if no list has
 * several lines, or if the tool returns a ZIP always or never.
 */
export function zipFieldOf({ tool, parameters }: Step): Field | undefined {
  if (!tool.produces?.includes(ZIP) || tool.produces.length === 1) return undefined;
  return fieldsOf(tool).find(
    ({ name, type }) => type === 'lines' && [parameters[name]].flat().length > 1,
  );
}

/** Returns the media types of the files that the step can return, or undefined if they are unknown. */
export const producedBy = (step: Step): Tool['produces'] =>
  zipFieldOf(step) ? [ZIP] : step.tool.produces;

/** Whether the tool takes a file of one of these media types. Returns true if the types are unknown. */
export function takesFileOf(produces: Tool['produces'], { files }: Tool): boolean {
  const { kinds, extensions } = files!;
  if (!produces) return true;
  if (extensions)
    return produces.some((type) => extensions.some((extension) => type.endsWith(`/${extension}`)));
  return kinds.some(
    (kind) =>
      kind === 'any' ||
      produces.some((type) =>
        kind === 'image' ? type.startsWith('image/') : type.endsWith('/pdf'),
      ),
  );
}
