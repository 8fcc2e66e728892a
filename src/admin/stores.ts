/** Defines the stores that operators' actions and searches use. */

import type { AccountStore } from '../core/account-store.ts';
import type { KeyRecord, KeyStore } from '../core/key-store.ts';
import type { HostedFiles, ModerationStore } from '../core/moderation.ts';
import type { UsageStore } from '../core/usage-store.ts';
import { sha256 } from '../lib/sha256.ts';
import type { Addresses } from './subject.ts';

export interface AdminStores {
  moderation: ModerationStore;
  hosted: HostedFiles;
  keys: Pick<KeyStore, 'find' | 'get' | 'list'>;
  accounts: Pick<AccountStore, 'find'>;
  usage: Pick<UsageStore, 'days'>;
  config: Addresses & { adminAccounts: ReadonlySet<string> };
}

/** The operator who performs an action. */
export interface Operating {
  /** The operator's name, which is `account:ID` or `shell:USER`. */
  who: string;
  /** The addresses that the operator uses. Blocks that contain one of them are refused. */
  addresses: readonly string[];
}

/** Finds a key by its ID, its display form or its full text. Returns null unless exactly one key matches. */
export async function findStoredKey(
  { keys, moderation }: AdminStores,
  text: string,
): Promise<KeyRecord | null> {
  if (/^tsk_\w{38}$/.test(text)) return keys.find(await sha256(text));
  const [id, ...others] = text.startsWith('tsk_')
    ? await moderation.keyIds(text.replace('...', '…'))
    : [text];
  return id === undefined || others.length > 0 ? null : keys.get(id);
}
