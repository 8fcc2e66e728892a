/** Turns failures of R2 into 503. */
import type { DiskSpace } from './disk-space.ts';
import { guardOf } from './guard.ts';

/**
 * Matches R2's error codes for invalid calls. The codes 10001, 10043 and 10058 mean that R2 itself failed or is
 * overloaded.
 */
const CALL_FAULT = /\((?!10001|10043|10058)10\d{3}\)$/;

type Methods = Record<string, (...given: unknown[]) => Promise<unknown>>;

/** Wraps a bucket so that its methods throw 503 while R2 fails. */
export function guardedBucket(bucket: R2Bucket, disk: DiskSpace): R2Bucket {
  const guard = guardOf('storage', disk, (text) => CALL_FAULT.test(text));
  /** @param names the names of methods that return a promise */
  const guarded = (target: object, names: readonly string[]): Methods =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (...given: unknown[]) => guard(() => (target as Methods)[name]!(...given)),
      ]),
    );
  return {
    ...guarded(bucket, ['head', 'get', 'put', 'delete', 'list']),
    createMultipartUpload: async (...given: Parameters<R2Bucket['createMultipartUpload']>) =>
      guarded(await guard(() => bucket.createMultipartUpload(...given)), [
        'uploadPart',
        'complete',
        'abort',
      ]),
  } as unknown as R2Bucket;
}
