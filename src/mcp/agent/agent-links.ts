/**
 * Opens the links that tools accept at the endpoint for agents. These are links to stored files, upload URLs,
 * public links and `data:` URLs.
 */
import { badRequest } from '../../core/errors.ts';
import { type InputFile, memoryFile } from '../../core/input-file.ts';
import { MAX_DATA_LINK_BYTES, OUTPUT_LIFE_SECONDS } from '../../core/limits.ts';
import type { StoredLinks } from '../../execute/input-files.ts';
import type { Services } from '../../services.ts';
import type { McpContext } from '../checked-call.ts';

/**
 * Recognizes and opens the links that need no request to another server. All other links are checked and fetched as
 * over REST.
 */
export function agentLinks({ storage, uploads, config }: Services): StoredLinks {
  const { baseUrl } = config;
  return {
    isOurs: (link) => isData(link) || secretOf(link, baseUrl) !== null || storage.isOurs(link),
    open: async (link, param) => {
      if (isData(link)) return dataFile(link, param);
      const secret = secretOf(link, baseUrl);
      if (secret === null) return storage.open(link, param);
      const id = await uploads.fileOf(secret, Date.now());
      if (id !== null) return storage.openById(id, param);
      throw badRequest(
        'No file has arrived at this upload URL yet. PUT the bytes there, or ask the person to open the drop page.',
        param,
      );
    },
  };
}

/**
 * Converts upload URLs and `data:` URLs to links to stored files, which work everywhere. Other links stay
 * unchanged.
 */
export async function storedLinkOf(
  link: string,
  { services, admission }: Pick<McpContext, 'services' | 'admission'>,
): Promise<string> {
  const { config, uploads, storage } = services;
  if (isData(link)) {
    const { name, bytes, declaredType = 'application/octet-stream' } = dataFile(link, 'fileUrl');
    const { url } = await storage.store(await bytes(), {
      filename: name,
      contentType: declaredType,
      lifeSeconds: OUTPUT_LIFE_SECONDS,
      caller: admission.caller,
    });
    return url;
  }
  const secret = secretOf(link, config.baseUrl);
  const id = secret === null ? null : await uploads.fileOf(secret, Date.now());
  if (id === null) return link;
  const { name } = await storage.openById(id, 'fileUrl');
  return storage.linkTo(id, name);
}

/** Returns the secret in an upload URL. */
function secretOf(link: string, baseUrl: string): string | null {
  const base = `${baseUrl}/api/v1/uploads/`;
  return link.startsWith(base) ? link.slice(base.length) : null;
}

const isData = (link: string) => /^data:/i.test(link);

/** Decodes the file in a `data:` link (RFC 2397). Throws 400 if its content is malformed or too large. */
function dataFile(link: string, param: string): InputFile {
  const [, type = '', base64, data = ''] =
    /^data:([^,;]*)(?:;(?!base64,)[^,;]*)*(;base64)?,(.*)$/is.exec(link) ?? [];
  const bytes = base64 === undefined ? percentDecoded(data) : base64Decoded(data);
  if (bytes === null) {
    throw badRequest(
      'The data: URL is malformed: its content is not valid Base64 or percent-encoding. Send the file through create_upload.',
      param,
    );
  }
  if (bytes.byteLength > MAX_DATA_LINK_BYTES) {
    throw badRequest(
      `The data: URL holds ${bytes.byteLength} bytes; the limit is ${MAX_DATA_LINK_BYTES}. Send the file through create_upload.`,
      param,
    );
  }
  const declared = type.trim().toLowerCase();
  return memoryFile(`file${EXTENSIONS[declared] ?? ''}`, bytes, declared || undefined);
}

/** The file extensions for these types, for tools that detect the type from the file name. */
const EXTENSIONS: Record<string, string> = { 'text/plain': '.txt', 'application/pdf': '.pdf' };

function base64Decoded(data: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(decodeURIComponent(data));
  } catch {
    return null;
  }
}

function percentDecoded(data: string): Uint8Array | null {
  try {
    return new TextEncoder().encode(decodeURIComponent(data));
  } catch {
    return null;
  }
}
