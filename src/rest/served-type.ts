/** The type under which a file would be served: what its bytes are, or bytes that nobody interprets. */
import { judgeUpload } from '../tools/upload_file/upload-type.ts';

export async function servedType(
  head: Uint8Array,
  declared: string | undefined,
  filename: string,
): Promise<string> {
  const judgement = await judgeUpload(head, declared, filename);
  return 'contentType' in judgement ? judgement.contentType : 'application/octet-stream';
}
