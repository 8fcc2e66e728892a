/** Opens the files to which a call links, and checks all of its files against the tool's limits. */
import { type FileInput, linkNameOf, partName, type Tool } from '../core/define-tool.ts';
import { badRequest, tooLarge } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { MB } from '../core/limits.ts';
import type { StoragePort } from '../core/ports.ts';
import { otherKind, READABLE_IMAGES, readableKind } from '../lib/image-kind.ts';
import { isPdf } from '../lib/magic-bytes.ts';
import { checkLink } from './check-link.ts';

/** The time limit for fetching all links of a call, in milliseconds. */
const LINKS_MS = 120_000;

/**
 * Removes `fileUrl` or `fileUrls` from the parameters and returns its links (api.md, MCP). Throws 400 if they are
 * invalid or the call also uploads files, because either the links or the uploads would otherwise be ignored silently.
 */
export function takeLinks(
  tool: Tool,
  parameters: Record<string, unknown>,
  uploaded: readonly InputFile[],
): { links: readonly string[]; rest: Record<string, unknown> } {
  const name = linkNameOf(tool);
  if (!tool.files || !name) return { links: [], rest: parameters };
  const { [name]: given, ...rest } = parameters;
  if (given === undefined || given === null) return { links: [], rest };
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
      `${tool.name} needs ${expected(tool.files)}, but "${name}" names ${links.length}.`,
      name,
    );
  }
  return { links: links as string[], rest };
}

/** Recognizes and opens links to our storage. */
export type StoredLinks = Pick<StoragePort, 'isOurs' | 'open'>;

/**
 * Fetches a file from outside our storage. The fetch ends when `signal` aborts or at `end`, in milliseconds since the
 * epoch.
 */
export interface LinkFetcher {
  fetch(address: URL, param: string, signal: AbortSignal, end: number): Promise<InputFile>;
}

/** Opens the files in our storage and checks them. Other links are checked and returned as URLs. */
export async function openLinks(
  tool: Tool,
  links: readonly string[],
  stored: StoredLinks,
): Promise<(InputFile | URL)[]> {
  const name = linkNameOf(tool)!;
  const addresses = links.map((link) => checkLink(link, name, stored));
  const files: (InputFile | URL)[] = [];
  for (const [index, link] of links.entries()) {
    files.push(addresses[index] ?? (await openStored(tool, link, name, stored)));
  }
  checkTotal(tool, files.filter(isOpen));
  return files;
}

async function openStored(
  tool: Tool,
  link: string,
  name: string,
  stored: StoredLinks,
): Promise<InputFile> {
  const file = await stored.open(link, name);
  await checkFile(tool, file);
  return file;
}

/**
 * Returns the files of a call whose stored links have been opened. Fetches the files outside our storage and checks
 * them.
 */
export async function fetchFiles(
  tool: Tool,
  files: readonly (InputFile | URL)[],
  linked: LinkFetcher | undefined,
  signal: () => AbortSignal,
): Promise<InputFile[]> {
  const name = linkNameOf(tool)!;
  const end = Date.now() + LINKS_MS;
  const fetched: InputFile[] = [];
  for (const file of files) {
    if (isOpen(file)) {
      fetched.push(file);
      continue;
    }
    if (!linked) throw new Error('an external link cannot be fetched here');
    const received = await linked.fetch(file, name, signal(), end);
    await checkFile(tool, received);
    fetched.push(received);
  }
  checkTotal(tool, fetched);
  return fetched;
}

const isOpen = (file: InputFile | URL): file is InputFile => !(file instanceof URL);

/** Throws a ToolError if the tool does not accept this number, size or kind of files. */
export async function checkFiles(tool: Tool, files: readonly InputFile[]): Promise<void> {
  const input = tool.files;
  if (!input) {
    if (files.length > 0) throw badRequest(`${tool.name} takes no files. Remove the file.`, 'file');
    return;
  }
  checkCount(tool, files.length);
  for (const file of files) await checkFile(tool, file);
  checkTotal(tool, files);
}

/** Throws a ToolError if the tool does not accept `count` files. */
export function checkCount(tool: Tool, count: number): void {
  const input = tool.files;
  if (!input) return;
  const part = partName(input);
  if (count < input.min) {
    const name = linkNameOf(tool);
    const link = name
      ? `, or set "${name}" to ${input.max > 1 ? 'links to stored files' : 'the link to a stored file'}`
      : '';
    throw badRequest(
      `${tool.name} needs ${expected(input)}, but got ${count || 'none'}. ` +
        `Over REST, attach ${input.min === 1 ? 'it' : 'them'} as multipart/form-data in ${input.min === 1 ? 'a part' : 'parts'} named "${part}"${link}.`,
      part,
    );
  }
  if (count > input.max) throw badRequest(tooMany(tool, count), part);
}

async function checkFile(tool: Tool, file: InputFile): Promise<void> {
  const input = tool.files!;
  const part = partName(input);
  checkSize(tool, file.name, file.size);
  if (file.size === 0) throw badRequest(`The file ${file.name} is empty.`, part);
  checkKind(input, file, part);
  await input.check?.(file);
}

function checkTotal(tool: Tool, files: readonly InputFile[]): void {
  const { maxTotalBytes = Infinity } = tool.files!;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= maxTotalBytes) return;
  throw tooLarge(
    `The files total ${inMb(total)}. ${tool.name} takes at most ${inMb(maxTotalBytes)}.`,
    partName(tool.files!),
  );
}

/** Throws 413 if `size` bytes exceed the tool's limit. */
export function checkSize(tool: Tool, name: string, size: number): void {
  if (!tool.files || size <= tool.files.maxBytes) return;
  throw tooLarge(
    `The file ${name} is larger than the ${inMb(tool.files.maxBytes)} limit of ${tool.name}.`,
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

const expected = ({ min }: FileInput) => (min === 1 ? 'a file' : `at least ${min} files`);

const tooMany = (tool: Tool, count: number) =>
  `${tool.name} takes at most ${tool.files?.max} ${tool.files?.max === 1 ? 'file' : 'files'}, but got ${count}.`;

const inMb = (bytes: number) => `${Math.round((bytes / MB) * 10) / 10} MB`;
