/** Defines the notices at the top of the page. A URL can only select one of the confirmations below. */

export type Notice =
  | { kind: 'problem'; text: string }
  | { kind: 'done'; text: string }
  /** A new key, which is never shown again. */
  | { kind: 'key'; key: string; webhookSecret: string; text: string; isTrial: boolean }
  /** New recovery codes, which are never shown again. */
  | { kind: 'codes'; codes: readonly string[] };

const DONE = {
  welcome: 'You are signed in.',
  'signed-out': 'You are signed out.',
  'key-revoked': 'The key was revoked.',
  'overlap-ended': 'The key’s previous secret has expired.',
  'passkey-added': 'The passkey was added.',
  'passkey-removed':
    'The passkey was removed. Delete it on your device too; otherwise the device still offers it.',
  'session-ended': 'That browser is signed out.',
  recovered:
    'You are signed in. The recovery code cannot be used again: add a passkey for next time.',
  'github-connected': 'You can now sign in with GitHub too.',
  'github-disconnected': 'You can no longer sign in to this account with GitHub.',
  deleted: 'Your account was deleted, including its keys, passkeys, sessions and usage.',
} as const;

export type Done = keyof typeof DONE;

/** Returns the confirmation message for the `done` parameter of /developers. */
export function noticeOf(done: string | undefined): Notice | undefined {
  return done !== undefined && Object.hasOwn(DONE, done)
    ? { kind: 'done', text: DONE[done as Done] }
    : undefined;
}
