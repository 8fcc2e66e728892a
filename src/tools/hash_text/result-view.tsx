/** Shows whether the expected digest matches, and the digests. Insecure algorithms are listed last. */
import type { ViewParts } from '../../core/result-view.ts';

interface Hashed {
  /** The name of the file, or `the text`. */
  of: string;
  /** Whether the digests are HMACs. MD5 is not among them. */
  isHmac: boolean;
  /** The digests in hexadecimal, by algorithm. */
  digests: Record<string, string>;
  /** The algorithms whose digest matches the expected digest. Undefined if no digest is expected. */
  matches?: readonly string[];
}

/**
 * Matches text that may be a digest, in hexadecimal or in Base64. The shortest digest, MD5, has 32 digits, or 22
 * characters in Base64.
 */
const DIGEST = /[\da-f]{32}|[\w+/-]{22}/i;

export const resultView = (
  value: Record<string, unknown>,
  { CopyList }: ViewParts,
  parameters: { compareWith?: string } = {},
) => {
  const { of, isHmac, digests, matches } = value as unknown as Hashed;
  const noun = isHmac ? 'HMAC' : 'digest';
  const { 'SHA-1': sha1, MD5, ...secure } = digests;
  const { compareWith = '' } = parameters;
  return (
    <>
      {matches?.map((name) => (
        <p class="notice">
          The {name} {noun} matches.
        </p>
      ))}
      {matches?.length === 0 && (
        <p class="notice bad">
          {DIGEST.test(compareWith.replace(/[\s:]/g, ''))
            ? `None of the ${noun}s matches.`
            : 'What you entered is not a digest. A digest has 32 to 128 hexadecimal digits, or is in Base64.'}
        </p>
      )}
      <p class="small soft">
        {isHmac ? 'HMACs' : 'Digests'} of {of}:
      </p>
      <CopyList values={isHmac ? digests : secure} />
      {!isHmac && (
        <>
          <p class="small soft">Not for security, only for old checksums:</p>
          <CopyList values={{ 'SHA-1': sha1, MD5 }} />
        </>
      )}
    </>
  );
};
