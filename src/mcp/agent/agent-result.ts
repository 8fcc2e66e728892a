/**
 * Presents results at the endpoint for agents. Images are embedded, and files become resource links. If text is
 * truncated, the result names the call that returns the next part.
 */
import { ToolError } from '../../core/errors.ts';
import { jobOwner } from '../../core/jobs.ts';
import type { StoredFile } from '../../core/ports.ts';
import { sizeText } from '../../core/size-text.ts';
import type { FileFacts, FileOutput } from '../../core/tool-output.ts';
import type { Executed } from '../../execute/execute.ts';
import { shownImage } from '../../execute/shown-image.ts';
import { storeOutput } from '../../execute/store-output.ts';
import { storeEntries } from '../../execute/zip-entries.ts';
import { fileExpiry } from '../../lib/file-id.ts';
import { logCause } from '../../lib/log.ts';
import { capValue } from '../cap-value.ts';
import type { McpContext } from '../checked-call.ts';
import {
  ALWAYS_FITS_CHARACTERS,
  type Content,
  jsonTexts,
  MAX_TOKENS,
  storeWhole,
  type ToolResult,
  text,
} from '../present-result.ts';

/** The tool or job that produced the result. */
export interface Source {
  name: string;
  untrusted?: boolean | undefined;
}

export type FileLink = Omit<StoredFile, 'id'> & FileFacts;

interface Options {
  /** Whether each entry of a ZIP becomes a link. */
  asLinks?: boolean;
}

const DATA_IMAGE = /^data:(image\/[\w.+-]+);base64,(.*)$/;

/** Presents the output of a tool. */
export async function agentResult(
  source: Source,
  { output, warnings }: Executed,
  context: McpContext,
  { asLinks = false }: Options = {},
): Promise<ToolResult> {
  const result =
    output.kind === 'json'
      ? await presentValue(source, output.value, context)
      : await presentFile(source, output, context, asLinks);
  if (warnings.length > 0) result.content.push(text(`Note: ${warnings.join('\n')}`));
  return result;
}

/** Presents a JSON value. If it contains an image, the image is shown. An image in a `data:` URL is also stored. */
export async function presentValue(
  source: Source,
  given: Record<string, unknown>,
  context: McpContext,
): Promise<ToolResult> {
  const { value, image } = await withoutImage(given, context);
  const result = await presentJson(source, value, context);
  const link = image ?? fileLinkOf(value, context);
  if (link) result.content.push(...(await fileContent(link, context, true)));
  return result;
}

async function presentFile(
  source: Source,
  output: FileOutput,
  context: McpContext,
  asLinks: boolean,
): Promise<ToolResult> {
  const { services, admission } = context;
  const { storage } = services;
  const stored = await storeOutput(output, storage, admission.caller);
  const { id: _, ...facts } = stored;
  const entries = asLinks && (await presentEntries(source.name, facts, output.entries, context));
  if (entries) return entries;
  const result = await presentStored(source, facts, context);
  if (asLinks && facts.contentType === 'application/zip') {
    result.content.push(
      text('The ZIP is too large or has too many files to create links to them.'),
    );
  }
  return result;
}

/** Presents a stored file that a tool created. */
export async function presentStored(
  { name, untrusted }: Source,
  facts: FileLink,
  context: McpContext,
): Promise<ToolResult> {
  const { url, filename, contentType, size, inputBytes } = facts;
  const from = inputBytes ? `; the input was ${sizeText(inputBytes)}` : '';
  return {
    content: [
      ...(untrusted ? jsonTexts({ untrusted }, facts) : []),
      text(
        `${name} created ${filename} (${contentType}, ${sizeText(size)}${from}): ${url}\nThe link works for 24 hours. Other tools take it as fileUrl.`,
      ),
      ...(await fileContent(facts, context, true)),
    ],
    structuredContent: { ...facts },
  };
}

/**
 * Presents the files of a stored ZIP, each with its own link. Returns null if the link does not point to a ZIP, or if
 * the ZIP is too large or has too many files.
 */
export async function presentEntries(
  name: string,
  { url, inputBytes }: Partial<FileLink>,
  known: readonly FileFacts[],
  context: McpContext,
): Promise<ToolResult | null> {
  const { storage } = context.services;
  const id = storage.idOf(String(url));
  const { caller } = context.admission;
  const entries = id && (await storeEntries(id, known, storage, caller));
  if (!entries) return null;
  const files = entries.map(({ id: _, ...facts }) => ({ ...facts, inputBytes }));
  const lines = files.map(({ filename, size, url }) => `${filename} (${sizeText(size)}): ${url}`);
  const content: Content[] = [
    text(
      `${name} created ${files.length} files. Their links work for 24 hours.\n${lines.join('\n')}`,
    ),
  ];
  for (const file of files) content.push(...(await fileContent(file, context, false)));
  return { content, structuredContent: { files } };
}

/**
 * Presents a value within the token limit. If text is truncated, the whole text is stored, so that read_document can
 * return the rest.
 */
async function presentJson(
  source: Source,
  value: Record<string, unknown>,
  { services, admission }: McpContext,
): Promise<ToolResult> {
  const whole = JSON.stringify(value);
  const capped = whole.length <= ALWAYS_FITS_CHARACTERS ? null : capValue(value, MAX_TOKENS);
  if (!capped?.truncated) {
    return { content: jsonTexts(source, value), structuredContent: value };
  }
  const store = { storage: services.storage, caller: admission.caller };
  const cut = onlyCutText(value, capped.value);
  const { url, size } = cut
    ? await services.storage.store(new TextEncoder().encode(cut.whole), {
        filename: `${source.name}.txt`,
        contentType: 'text/plain; charset=utf-8',
        lifeSeconds: 24 * 3600,
        caller: admission.caller,
        compress: true,
      })
    : await storeWhole(source, whole, store);
  const readOn = { fileUrl: url, ...(cut && { cursor: String(cut.shown) }) };
  const structuredContent = { ...capped.value, truncated: true, fullResultUrl: url };
  return {
    content: [
      ...jsonTexts(source, structuredContent),
      text(
        `This result was truncated from ${sizeText(size)} to about ${MAX_TOKENS} tokens. Continue with read_document ${JSON.stringify(readOn)}.`,
      ),
    ],
    structuredContent,
  };
}

/** Returns the text field that was truncated. Returns null unless it is the only field that changed. */
function onlyCutText(
  value: Record<string, unknown>,
  capped: Record<string, unknown>,
): { whole: string; shown: number } | null {
  const [changed, ...others] = Object.keys(value).filter(
    (name) => JSON.stringify(value[name]) !== JSON.stringify(capped[name]),
  );
  if (changed === undefined || others.length > 0) return null;
  const whole = value[changed];
  const shown = capped[changed];
  if (typeof whole !== 'string' || typeof shown !== 'string') return null;
  return { whole, shown: shown.length };
}

/** Stores an image that a field contains as a `data:` URL. The link to the stored image replaces the field. */
async function withoutImage(
  value: Record<string, unknown>,
  { services, admission }: McpContext,
): Promise<{ value: Record<string, unknown>; image?: FileLink }> {
  for (const [name, field] of Object.entries(value)) {
    const [, contentType, data] = typeof field === 'string' ? (DATA_IMAGE.exec(field) ?? []) : [];
    if (!contentType || !data) continue;
    const { id: _, ...image } = await services.storage.store(Uint8Array.fromBase64(data), {
      filename: `image.${contentType.slice('image/'.length).replace(/\W.*/, '')}`,
      contentType,
      lifeSeconds: 24 * 3600,
      caller: admission.caller,
    });
    const { [name]: __, ...others } = value;
    const { url, expiresAt } = image;
    return { value: { url, expiresAt, ...others }, image };
  }
  return { value };
}

/**
 * Returns the link to the stored file to which a result refers. This may be the file of the result, a copy of a logo,
 * or the file of a job's result.
 */
function fileLinkOf(
  { url, logo, result }: Record<string, unknown>,
  { services }: McpContext,
): string | undefined {
  const copy = (logo as { rehostedUrl?: unknown } | undefined)?.rehostedUrl;
  const ofJob = (result as { url?: unknown } | undefined)?.url;
  return [url, copy, ofJob].find(
    (link): link is string => typeof link === 'string' && services.storage.idOf(link) !== null,
  );
}

/**
 * Presents a stored file as a resource link, if the protocol version supports it. If the caller has a key or an
 * account, also adds the file to the list of resources. If `shows` is true and the file is an image, also presents the
 * image. Returns an empty array for other URLs and missing files.
 */
async function fileContent(
  given: FileLink | string,
  { services, admission, links, signal, requestId }: McpContext,
  shows: boolean,
): Promise<Content[]> {
  const { storage, agentFiles, ports } = services;
  const url = typeof given === 'string' ? given : given.url;
  const id = storage.idOf(url);
  if (id === null) return [];
  const file = await storage.openById(id, 'url').catch((error: unknown) => {
    if (!(error instanceof ToolError)) logCause(requestId, error);
    return null;
  });
  if (!file) return [];
  const contentType = file.declaredType ?? 'application/octet-stream';
  const owner = jobOwner(admission.caller);
  if (owner !== null) {
    const expiresAt = fileExpiry(id)!;
    await agentFiles.add(owner, {
      id,
      filename: file.name,
      contentType,
      size: file.size,
      expiresAt,
    });
  }
  const shown = shows ? await shownImage(file, ports.media, signal(), requestId) : null;
  return [
    ...(shown
      ? [{ type: 'image' as const, data: shown.bytes.toBase64(), mimeType: shown.mimeType }]
      : []),
    ...(links
      ? [
          {
            type: 'resource_link' as const,
            uri: url,
            name: file.name,
            mimeType: contentType,
            size: file.size,
          },
        ]
      : []),
  ];
}
