/** Shows whether the expected digest matches, and the digests. Those that are not for security are listed last. */
import type { ViewParts } from '../../core/result-view.ts';

interface Hashed {
  /** The name of the file, or `the text`. */
  of: string;
  /** By algorithm, in hexadecimal. */
  digests: Record<string, string>;
  /** The algorithms whose digest is the expected one. Undefined if no digest is expected. */
  matches?: readonly string[];
}

export const resultView = (value: Record<string, unknown>, { CopyList }: ViewParts) => {
  const { of, digests, matches } = value as unknown as Hashed;
  const { 'SHA-1': sha1, MD5, ...secure } = digests;
  return (
    <>
      {matches?.map((name) => (
        <p class="notice">The {name} digest matches.</p>
      ))}
      {matches?.length === 0 && <p class="notice bad">None of the digests matches.</p>}
      <p class="small soft">Digests of {of}:</p>
      <CopyList values={secure} />
      <p class="small soft">Not for security, only for old checksums:</p>
      <CopyList values={{ 'SHA-1': sha1, MD5 }} />
    </>
  );
};
