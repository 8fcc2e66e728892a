/** Finds the files of a call that the service would refuse, or that the browser cannot read. */
import { HEAD_BYTES } from '../../../core/input-file.ts';
import { imageKind } from '../../../lib/image-kind.ts';
import { isPdf } from '../../../lib/magic-bytes.ts';
import { isLocked } from './pdf-pages.ts';

const MB = 2 ** 20;

/** The maximum number of refused files that a message names. */
const MAX_NAMED = 3;

/**
 * Returns a message if there are too few files or their total size is too large, otherwise undefined. `limits` are the
 * file field's limits.
 */
export function problemWith(sent: readonly File[], limits: DOMStringMap): string | undefined {
  const min = Number(limits.min);
  if (sent.length < min) return min > 1 ? `Choose at least ${min} files.` : 'Choose a file first.';
  return totalProblem(sent, limits);
}

/** Returns a message if the total size of the files is too large, otherwise undefined. */
export function totalProblem(chosen: readonly File[], limits: DOMStringMap): string | undefined {
  // If the tool has no total limit, this is NaN, which no size exceeds.
  const maxTogether = Number(limits.maxTogether);
  if (chosen.reduce((sum, { size }) => sum + size, 0) > maxTogether)
    return `The files exceed the total limit of ${maxTogether / MB} MB. Remove some files.`;
  return undefined;
}

/** Returns the files whose names, types and sizes the service accepts, and a message about the others. */
export function sortOut(
  chosen: readonly File[],
  limits: DOMStringMap,
): { accepted: File[]; message: string } {
  const accepted: File[] = [];
  const problems: string[] = [];
  for (const file of chosen) {
    const problem = problemOf(file, limits);
    if (problem) problems.push(problem);
    else accepted.push(file);
  }
  const isOther = chosen.some((file) => !hasExtension(file, limits));
  return {
    accepted,
    message: notAdded(problems) + (isOther && limits.otherwise ? ` ${limits.otherwise}` : ''),
  };
}

/** Returns the files whose content the service would refuse, and a message about them. */
export async function findRefused(
  chosen: readonly File[],
  limits: DOMStringMap,
): Promise<{ refused: File[]; message: string }> {
  const refused: File[] = [];
  const problems: string[] = [];
  for (const file of chosen) {
    const problem = await contentProblem(file, limits);
    if (!problem) continue;
    refused.push(file);
    problems.push(problem);
  }
  return { refused, message: notAdded(problems) };
}

async function contentProblem(
  file: File,
  { kinds, extensions, noun }: DOMStringMap,
): Promise<string | undefined> {
  const takesPdf = (kinds ?? extensions)?.includes('pdf');
  if (!kinds && !takesPdf) return undefined;
  const head = await headOf(file);
  if (head.length === 0) return undefined;
  if (takesPdf && isPdf(head))
    return (await isLocked(file))
      ? `${file.name} needs a password. Save a copy without a password first.`
      : undefined;
  if (!kinds || (kinds.includes('image') && imageKind(head))) return undefined;
  return `${file.name} is not ${noun}.`;
}

/** Returns the first bytes of a file. Returns no bytes if the browser cannot read the file. */
async function headOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  } catch {
    return new Uint8Array();
  }
}

function notAdded(problems: readonly string[]): string {
  if (problems.length === 0) return '';
  const unnamed = problems.length - MAX_NAMED;
  const more =
    unnamed > 0
      ? [unnamed === 1 ? '1 more file has a problem.' : `${unnamed} more files have problems.`]
      : [];
  const what = problems.length === 1 ? 'The file was' : 'These files were';
  return [...problems.slice(0, MAX_NAMED), ...more, `${what} not added.`].join(' ');
}

/** Returns the reason why the service would refuse a file of this type or size, or undefined if it would not. */
function problemOf(file: File, limits: DOMStringMap): string | undefined {
  const { kinds, noun, maxBytes } = limits;
  if (file.size === 0) return `${file.name} is empty.`;
  // The type is empty if the browser does not know it.
  if (kinds && file.type !== '' && !kinds.split(' ').includes(kindOf(file)))
    return `${file.name} is not ${noun}.`;
  if (!hasExtension(file, limits)) return `${file.name} is not ${noun}.`;
  if (file.size > Number(maxBytes))
    return `${file.name} is larger than the limit of ${Number(maxBytes) / MB} MB.`;
  return undefined;
}

/** Whether the file has an extension that the tool accepts. Returns true if the extension does not matter. */
const hasExtension = ({ name }: File, { extensions }: DOMStringMap): boolean =>
  !extensions || extensions.split(' ').some((one) => name.toLowerCase().endsWith(`.${one}`));

/** Returns `image` for any image type, otherwise the media type without `application/`, such as `pdf`. */
export const kindOf = ({ type }: File): string =>
  type.startsWith('image/') ? 'image' : type.replace('application/', '');

/** Returns the first file that the browser cannot read. */
export async function unreadableOf(sent: readonly File[]): Promise<File | undefined> {
  for (const file of sent) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return file;
    }
  }
  return undefined;
}
