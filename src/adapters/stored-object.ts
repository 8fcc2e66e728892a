/** Reads the metadata and the bytes of stored files from R2. The bytes may be compressed. */
import { type ByteRange, spanOf } from '../core/byte-range.ts';
import { gunzip } from '../core/gzip.ts';
import { isReason } from '../core/moderation.ts';
import type { StoredObject } from '../core/ports.ts';

export interface Stored {
  object: StoredObject;
  /** The bytes, or null if the condition `onlyIf` is not met. */
  body: ReadableStream<Uint8Array> | null;
}

export interface ReadOptions {
  range?: ByteRange | undefined;
  onlyIf?: R2Conditional | undefined;
}

/** Matches R2's error for a range that is outside the object. */
const NO_SUCH_RANGE = /\(10039\)$/;

/**
 * Reads the object. If it is compressed, it may be read twice. If the range is outside an uncompressed object, the
 * whole body is returned.
 */
export async function readStored(
  bucket: R2Bucket,
  name: string,
  { range, onlyIf }: ReadOptions,
): Promise<Stored | null> {
  const condition = onlyIf && { onlyIf };
  const found = await get(bucket, name, { ...condition, ...(range && { range }) });
  if (!found) return null;
  const object = served(found);
  if (!('body' in found)) return { object, body: null };
  if (object.removed || !isCompressed(found)) return { object, body: found.body };
  if (range) {
    await found.body.cancel();
    const whole = await readStored(bucket, name, {});
    return whole && { object, body: await partOf(whole, range) };
  }
  const { readable, writable } = new FixedLengthStream(object.size);
  gunzip(found.body)
    .pipeTo(writable)
    .catch(() => {});
  return { object, body: readable };
}

async function get(
  bucket: R2Bucket,
  name: string,
  options: R2GetOptions,
): Promise<R2ObjectBody | R2Object | null> {
  try {
    return await bucket.get(name, options);
  } catch (error) {
    if (!options.range || !NO_SUCH_RANGE.test(String(error))) throw error;
    // The object is read again in full, because the error does not contain its size.
    const { range: _, ...rest } = options;
    return bucket.get(name, rest);
  }
}

async function partOf({ object, body }: Stored, range: ByteRange): Promise<Stored['body']> {
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  const { offset, length } = spanOf(range, object.size) ?? { offset: 0, length: 0 };
  return new Blob([bytes.subarray(offset, offset + length)]).stream();
}

const isCompressed = ({ customMetadata }: R2Object) => customMetadata?.gzip !== undefined;

export const served = ({
  size,
  customMetadata,
  httpMetadata,
  httpEtag,
  uploaded,
}: R2Object): StoredObject => ({
  size: Number(customMetadata?.gzip ?? size),
  filename: customMetadata?.filename,
  contentType: httpMetadata?.contentType,
  httpEtag,
  uploaded,
  removed: isReason(customMetadata?.removed) ? customMetadata.removed : undefined,
});
