/** Determines the media type that a stored file is served with: the detected type, or plain bytes. */
import { checkUpload } from '../tools/upload_file/upload-type.ts';

export async function servedType(
  head: Uint8Array,
  declared: string | undefined,
  filename: string,
): Promise<string> {
  const outcome = await checkUpload(head, declared, filename);
  return 'contentType' in outcome ? outcome.contentType : 'application/octet-stream';
}
