import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DiskSpace } from './disk-space.ts';
import { guardedBucket } from './guarded-bucket.ts';

const disk = new DiskSpace(undefined);
const unavailable = { status: 503, retryAfter: 5 };

describe('the guarded R2 bucket', () => {
  it('throws an error caused by the call itself unchanged', async () => {
    await env.FILES.put('short', 'abc');
    const read = guardedBucket(env.FILES, disk).get('short', { range: { offset: 100 } });
    await expect(read).rejects.toThrow('(10039)');
  });

  it('throws 503 when uploading a part fails', async () => {
    const lost = async () => {
      throw new TypeError('Network connection lost.');
    };
    const upload = { uploadPart: lost, complete: lost, abort: lost };
    const bucket = { createMultipartUpload: async () => upload } as unknown as R2Bucket;
    const guarded = await guardedBucket(bucket, disk).createMultipartUpload('large');
    await expect(guarded.uploadPart(1, 'a')).rejects.toMatchObject(unavailable);
    await expect(guarded.complete([])).rejects.toMatchObject(unavailable);
    await expect(guarded.abort()).rejects.toMatchObject(unavailable);
  });
});
