/** Opens the files of a call that are given by link, and checks all files against the tool's limits. */
import type { FileInput, Tool } from '../core/define-tool.ts';
import { badRequest, tooLarge } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { MB } from '../core/limits.ts';
import { otherKind, READABLE_IMAGES, readableKind } from '../lib/image-kind.ts';
import { isPdf } from '../lib/magic-bytes.ts';

/** The parameter that takes stored files; null if the tool takes none. */
export const linkNameOf = ({ files }: Tool) => {
  if (!files || files.uploadOnly) return null;
  return files.max > 1 ? 'fileUrls' : 'fileUrl';
};

/** The name of the multipart part for a tool's files. */
export const partName = (files: FileInput) => (files.max > 1 ? 'files' : 'file');

/** The time limit for all links of a call together. */
const LINKS_MS = 120_000;
/** Shared by most calls. */
const NO_LINKS: readonly string[] = [];

/**
 * Removes `fileUrl`/`fileUrls` from the parameters and returns them (api.md, MCP). Together with uploads they are
 * refused rather than silently ignored.
 */
export function takeLinks(
  tool: Tool,
  parameters: Record<string, unknown>,
  uploaded: readonly InputFile[],
): { links: readonly string[]; rest: Record<string, unknown> } {
  const name = linkNameOf(tool);
  if (!tool.files || !name) return { links: NO_LINKS, rest: parameters };
  const { [name]: given, ...rest } = parameters;
  if (given === undefined || given === null) return { links: NO_LINKS, rest };
  if (uploaded.length > 0) {
    throw badRequest(`Send the file or ${name}, not both.`, name);
  }
  const links = tool.files.max > 1 ? given : [given];
  if (!Array.isArray(links) || !links.every((link) => typeof link === 'string')) {
    throw badRequest(
      tool.files.max > 1 ? `${name} must be an array of links.` : `${name} must be one link.`,
      name,
    );
  }
  if (links.length > tool.files.max) throw badRequest(tooMany(tool, links.length), name);
  if (links.length < tool.files.min) {
    throw badRequest(
      `${tool.name} needs ${wanted(tool.files)}, and "${name}" names ${links.length}.`,
      name,
    );
  }
  return { links: links as string[], rest };
}

/**
 * Opens links to our storage or, if supported, to other hosts, until `signal` aborts or `end` passes (milliseconds
 * since the epoch).
 */
export interface LinkOpener {
  open(link: string, param: string, signal: AbortSignal, end: number): Promise<InputFile>;
}

/** Opens links in order: from our storage (api.md, MCP), or through `linked` from other hosts. */
export async function openLinks(
  tool: Tool,
  links: readonly string[],
  linked: LinkOpener,
  signal: AbortSignal,
): Promise<InputFile[]> {
  const name = linkNameOf(tool) ?? '';
  const files: InputFile[] = [];
  const end = Date.now() + LINKS_MS;
  for (const link of links) files.push(await linked.open(link, name, signal, end));
  return files;
}

/** Throws a ToolError if the number, size or kind of the files does not fit the tool. */
export function checkFiles(tool: Tool, files: readonly InputFile[]): void {
  const input = tool.files;
  if (!input) {
    if (files.length > 0) throw badRequest(`${tool.name} takes no file. Remove it.`, 'file');
    return;
  }
  const part = partName(input);
  if (files.length < input.min) {
    const name = linkNameOf(tool);
    const link = name ? ` Or set "${name}" to stored files.` : '';
    throw badRequest(
      `${tool.name} needs ${wanted(input)}, but got ${files.length}. ` +
        `Over REST, attach ${input.min === 1 ? 'it' : 'them'} as multipart/form-data in parts named "${part}".${link}`,
      part,
    );
  }
  if (files.length > input.max) throw badRequest(tooMany(tool, files.length), part);
  let total = 0;
  for (const file of files) {
    checkSize(tool, file.name, file.size);
    total += file.size;
    if (file.size === 0) throw badRequest(`The file ${file.name} is empty.`, part);
    checkKind(input, file, part);
    input.check?.(file);
  }
  if (input.maxTotalBytes !== undefined && total > input.maxTotalBytes) {
    throw tooLarge(
      `The files are ${inMb(total)} together; ${tool.name} takes at most ${inMb(input.maxTotalBytes)}.`,
      part,
    );
  }
}

/** Throws 413 if `size` bytes exceed the tool's limit. */
export function checkSize(tool: Tool, name: string, size: number): void {
  if (!tool.files || size <= tool.files.maxBytes) return;
  throw tooLarge(
    `The file ${name} is larger than the ${inMb(tool.files.maxBytes)} that ${tool.name} takes.`,
    partName(tool.files),
  );
}

function checkKind(wanted: FileInput, file: InputFile, part: string): void {
  if (wanted.kinds.includes('any')) return;
  if (wanted.kinds.includes('pdf') && isPdf(file.head)) return;
  if (wanted.kinds.includes('image')) {
    if (readableKind(file.head)) return;
    const found = otherKind(file.head) ?? 'not an image of a supported kind';
    const pdf = wanted.kinds.includes('pdf') ? ' (or PDF)' : '';
    throw badRequest(
      `The file ${file.name} is ${found}. Send images${pdf}: ${READABLE_IMAGES}.`,
      part,
    );
  }
  throw badRequest(`The file ${file.name} is not a PDF. Send only PDFs.`, part);
}

const wanted = ({ min }: FileInput) => (min === 1 ? 'a file' : `at least ${min} files`);

const tooMany = (tool: Tool, count: number) =>
  `${tool.name} takes at most ${tool.files?.max} ${tool.files?.max === 1 ? 'file' : 'files'}, but got ${count}.`;

const inMb = (bytes: number) => `${Math.round((bytes / MB) * 10) / 10} MB`;
