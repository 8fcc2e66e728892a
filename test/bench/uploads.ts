/** Uploads 20 files of 50 MB, four at a time. Checks that no file is lost and that the stored bytes are identical. */
import { createHash, randomBytes } from 'node:crypto';
import { atMost, type Row } from './row.ts';
import { withService } from './service.ts';

const UPLOADS = 20;
const AT_ONCE = 4;
const BYTES = 50 * 2 ** 20;

export const uploadRows = (): Promise<Row[]> =>
  withService(async (baseUrl) => {
    // The files contain random bytes after a gzip signature. The service accepts gzip, and random bytes cannot be
    // compressed.
    const content = randomBytes(BYTES);
    content.set([0x1f, 0x8b, 8, 0]);
    let next = 0;
    const seconds: number[] = [];
    const worker = async () => {
      while (next < UPLOADS) {
        content.writeUInt32LE(next++, 1000);
        const mine = Buffer.from(content);
        const started = performance.now();
        const url = await upload(baseUrl, mine);
        seconds.push((performance.now() - started) / 1000);
        const found = await (await fetch(url)).arrayBuffer();
        if (digest(new Uint8Array(found)) !== digest(mine)) throw new Error(`${url} differs`);
      }
    };
    const started = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const total = (performance.now() - started) / 1000;
    const row = atMost(
      '20 uploads of 50 MB, 4 at once, lost or altered',
      seconds.length,
      UPLOADS,
      1,
      '',
    );
    return [
      {
        ...row,
        ours: `${UPLOADS - seconds.length} lost`,
        theirs: `${((UPLOADS * 50) / total).toFixed(0)} MB/s`,
        ratio: '',
        goal: 'none',
        reached: seconds.length === UPLOADS,
      },
    ];
  });

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function upload(baseUrl: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  form.append('tool', 'upload_file');
  form.append('file', new Blob([content], { type: 'application/gzip' }), 'random.gz');
  const response = await fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body: form });
  const body = (await response.json()) as { url?: string; error?: string };
  if (!body.url) throw new Error(body.error);
  return body.url;
}
