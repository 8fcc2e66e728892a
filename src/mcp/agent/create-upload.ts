/** Implements create_upload, which returns a one-time URL for a file and a page on which a person can upload it. */
import { badRequest } from '../../core/errors.ts';
import { jobOwner } from '../../core/jobs.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import { isMediaType, mediaTypeOf } from '../../lib/body.ts';
import { safeFilename } from '../../lib/filename.ts';
import { promisedType } from '../../tools/upload_file/promised-type.ts';
import type { CheckedCall, McpContext } from '../checked-call.ts';
import { text } from '../present-result.ts';

export function checkCreateUpload(
  parameters: Record<string, unknown>,
  { services, admission }: McpContext,
): CheckedCall {
  const { filename: given, contentType: declared } = parameters as {
    filename: string;
    contentType?: string;
  };
  if (given.trim() === '') throw badRequest('"filename" is empty. Send a name.', 'filename');
  if (declared !== undefined && !isMediaType(mediaTypeOf(declared))) {
    throw badRequest(
      '"contentType" must be a media type, such as "application/pdf".',
      'contentType',
    );
  }
  return {
    tools: [],
    limits: ['uploads'],
    cost: 1,
    run: async () => {
      const filename = safeFilename(given);
      const { uploads, config } = services;
      const { secret, expiresAt } = await uploads.create(
        { filename, contentType: promisedType(filename, declared) },
        Date.now(),
        jobOwner(admission.caller) ?? '',
      );
      const structuredContent = {
        uploadUrl: `${config.baseUrl}/api/v1/uploads/${secret}`,
        method: 'PUT',
        dropPage: `${config.baseUrl}/upload/${secret}`,
        expiresAt: new Date(expiresAt).toISOString(),
        maxBytes: MAX_FILE_BYTES,
      };
      return { content: [text(JSON.stringify(structuredContent))], structuredContent };
    },
  };
}
