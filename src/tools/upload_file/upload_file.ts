/** upload_file: hosts a file unchanged at a public link for 7 days. */

import * as z from 'zod';
import type { Caller } from '../../core/caller.ts';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import type { InputFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES, UPLOAD_LIFE_SECONDS } from '../../core/limits.ts';
import type { StoragePort } from '../../core/ports.ts';
import { json } from '../../core/tool-output.ts';
import { headerParameters } from '../../lib/header-parameters.ts';
import { kindOfText } from '../../web/text-bytes.ts';
import { deleteToken } from '../delete-token.ts';
import { checkUpload } from './upload-type.ts';

export const uploadFile = defineTool({
  name: 'upload_file',
  title: 'Upload a file',
  shortName: 'Upload file',
  kind: 'files',
  icon: 'upload',
  domain: null,
  description:
    'Hosts a file of up to 50 MB at a public link for 7 days, with its bytes unchanged. Accepts images, video, audio, PDF, ' +
    'plain text, CSV, JSON, archives and Office documents; the declared type must match the bytes. SVG and HTML are refused.',
  input: z.strictObject({}),
  output: z.object({
    url: z.string().describe('The public link.'),
    fileId: z.string().describe('The part of the link that identifies the file.'),
    filename: z.string().describe('The name of the file.'),
    contentType: z.string().describe('The media type, detected from the bytes.'),
    size: z.int().describe('Size of the file in bytes.'),
    expiresAt: z.string().describe('When the link expires.'),
    storage: z.literal('r2').describe('Where the file is stored.'),
    deleteToken,
  }),
  files: {
    min: 1,
    max: 1,
    maxBytes: MAX_FILE_BYTES,
    kinds: ['any'],
    uploadOnly: true,
    isStored: true,
    check: async (file) => void (await checked(file)),
  },
  example: {
    files: ['photo.jpg'],
    result: {
      url: 'https://files.tools.example/files/0k3v9x/photo.jpg',
      fileId: '0k3v9x',
      filename: 'photo.jpg',
      contentType: 'image/jpeg',
      size: 482_113,
      expiresAt: '2027-01-08T12:00:00.000Z',
      storage: 'r2',
      deleteToken: 'b1e1c7',
    },
  },
  synonyms: ['share', 'host', 'link to file', 'send', 'transfer'],
  access: 'anyone',
  limits: [{ calls: 5, per: 'minute', by: 'ip' }],
  surfaces: ['rest'],
  annotations: { readOnly: false, idempotent: false, openWorld: false, destructive: false },
  needs: ['storage'],
  run: async (_, { files, storage, caller }) =>
    json(await storeUpload(files[0]!, UPLOAD_LIFE_SECONDS, storage, caller)),
});

/** Stores a file unchanged and returns the result of upload_file. Throws 400 if its type is not accepted. */
export async function storeUpload(
  file: InputFile,
  lifeSeconds: number,
  storage: StoragePort,
  caller: Caller,
) {
  const { contentType, text } = await checked(file);
  const encoding = headerParameters(contentType).get('charset') ?? 'utf-8';
  const kind = text ? await kindOfText(await file.stream(), encoding) : 'binary';
  if (text && kind !== 'text') {
    throw badRequest(
      kind === 'markup'
        ? `The file ${file.name} is refused: it is SVG, HTML or XML with leading white space.`
        : `The file ${file.name} is refused: it contains bytes that are not valid ${encoding.toUpperCase()} text. Convert it, or declare its charset.`,
      'file',
    );
  }
  const filename = file.name;
  const stored = await storage.keep(file, { filename, contentType, lifeSeconds, caller });
  const { url, id, size, expiresAt, deleteToken } = stored;
  return {
    url,
    fileId: id,
    filename,
    contentType,
    size,
    expiresAt,
    storage: 'r2' as const,
    deleteToken,
  };
}

/** Returns the type that the beginning of the file shows. Throws 400 if upload_file does not accept the type. */
async function checked(file: InputFile): Promise<{ contentType: string; text: boolean }> {
  const outcome = await checkUpload(file.head, file.declaredType, file.name);
  if (!('refusal' in outcome)) return outcome;
  throw badRequest(`The file ${file.name} is refused: ${outcome.refusal}`, 'file');
}
