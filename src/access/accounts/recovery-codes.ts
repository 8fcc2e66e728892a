/**
 * Manages recovery codes. Ten single-use codes let the owner of an account sign in after losing every passkey.
 */

import type { AccountStore } from '../../core/account-store.ts';
import { conflict, ToolError } from '../../core/errors.ts';
import { randomText } from '../../lib/random-text.ts';
import { sha256 } from '../../lib/sha256.ts';

const CODES = 10;
/**
 * An alphabet of 31 characters that are hard to confuse. A 16-character code has 79 bits of entropy, so its unsalted
 * hash cannot be brute-forced.
 */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * Creates new codes, which are shown only once. They replace the codes created at `replaced`, or none if it is null.
 * Throws 409 if the account has codes that were created at another time.
 */
export async function newRecoveryCodes(
  accountId: string,
  accounts: Pick<AccountStore, 'setRecoveryCodes'>,
  now: number,
  replaced: number | null,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => randomText(ALPHABET, 16));
  const hashes = await Promise.all(codes.map(sha256));
  if (!(await accounts.setRecoveryCodes(accountId, hashes, now, replaced))) {
    throw conflict(
      'The codes have been replaced since this form was shown. Use the new codes, or reload the page to replace them.',
    );
  }
  return codes.map((code) => code.match(/.{4}/g)!.join('-'));
}

/** Uses up a code and returns its account. Throws 401 if the code is invalid. */
export async function useRecoveryCode(
  text: string,
  accounts: Pick<AccountStore, 'takeRecoveryCode'>,
): Promise<string> {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  const accountId = code.length === 16 ? await accounts.takeRecoveryCode(await sha256(code)) : null;
  if (accountId !== null) return accountId;
  throw new ToolError(
    'invalid_key',
    'This recovery code is not valid. Enter an unused code from your newest set.',
  );
}
