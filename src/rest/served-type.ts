/** Determines the media type that a stored file is served with: the detected type, or plain bytes. */
import { judgeUpload } from '../tools/upload_file/upload-type.ts';

export async function servedType(
  head: Uint8Array,
  declared: string | undefined,
  filename: string,
): Promise<string> {
  const judgement = await judgeUpload(head, declared, filename);
  return 'contentType' in judgement ? judgement.contentType : 'application/octet-stream';
}
