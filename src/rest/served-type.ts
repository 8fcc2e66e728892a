/**
 * Determines the media type with which a stored file is served. If uploads do not accept the file's type, the file is
 * served as plain bytes.
 */
import { checkUpload } from '../tools/upload_file/upload-type.ts';

export async function servedType(
  head: Uint8Array,
  declared: string | undefined,
  filename: string,
): Promise<string> {
  const outcome = await checkUpload(head, declared, filename);
  return 'contentType' in outcome ? outcome.contentType : 'application/octet-stream';
}
