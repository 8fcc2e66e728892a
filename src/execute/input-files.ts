/** The files of a call: opened where the caller names them by link, judged against what the tool takes. */
import type { FileInput, Tool } from '../core/define-tool.ts';
import { badRequest, tooLarge } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { MB } from '../core/limits.ts';
import { isPdf } from '../lib/magic-bytes.ts';
import { otherKind, readableKind, READABLE_PICTURES } from '../lib/picture-kind.ts';

/** The name of the parameter that takes stored files; null where the tool takes none. */
export const linkNameOf = ({ files }: Tool) => {
  if (!files || files.uploadOnly) return null;
  return files.max > 1 ? 'fileUrls' : 'fileUrl';
};

/** The name of the multipart part of a tool with files. */
export const partName = (files: FileInput) => (files.max > 1 ? 'files' : 'file');

/** For all links of a call together. */
const LINKS_MS = 120_000;
/** Most calls. */
const NO_LINKS: readonly string[] = [];

/**
 * Takes `fileUrl`/`fileUrls` out of the parameters (api.md, MCP). With uploads beside them they are refused rather
 * than silently dropped.
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

/** Opens links: in own storage, or beyond it, while `signal` is not aborted and before `end` (milliseconds since the epoch). */
export interface LinkOpener {
  open(link: string, param: string, signal: AbortSignal, end: number): Promise<InputFile>;
}

/** Opens what the links name, in their order: in own storage (api.md, MCP), or what `linked` opens beyond it. */
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

/** Throws a ToolError where number, size or kind of the files is not what the tool takes. */
export function checkFiles(tool: Tool, files: readonly InputFile[]): void {
  const input = tool.files;
  if (!input) {
    if (files.length > 0)
      throw badRequest(`${tool.name} takes no file. Leave the file out.`, 'file');
    return;
  }
  const part = partName(input);
  if (files.length < input.min) {
    const name = linkNameOf(tool);
    const link = name ? ` Or name stored files in "${name}".` : '';
    throw badRequest(
      `${tool.name} needs ${wanted(input)}, and got ${files.length}. ` +
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

/** Throws 413 where a file of `size` bytes is more than the tool takes. */
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
    const found = otherKind(file.head) ?? 'not a picture, or of a kind that is not known';
    const pdf = wanted.kinds.includes('pdf') ? ' (or PDF)' : '';
    throw badRequest(
      `The file ${file.name} is ${found}. Send pictures${pdf}: ${READABLE_PICTURES}.`,
      part,
    );
  }
  throw badRequest(`The file ${file.name} is not a PDF. Send PDFs only.`, part);
}

const wanted = ({ min }: FileInput) => (min === 1 ? 'a file' : `at least ${min} files`);

const tooMany = (tool: Tool, count: number) =>
  `${tool.name} takes at most ${tool.files?.max} ${tool.files?.max === 1 ? 'file' : 'files'}, and got ${count}.`;

const inMb = (bytes: number) => `${Math.round((bytes / MB) * 10) / 10} MB`;
