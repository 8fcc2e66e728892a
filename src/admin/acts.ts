/** Runs operator actions. Each action is recorded with its operator, subject, time and reason. */
import { isWithin } from '../access/blocks.ts';
import { parseKeyExpiry } from '../access/key-expiry.ts';
import { makerNames } from '../access/makers.ts';
import { badRequest, conflict } from '../core/errors.ts';
import {
  type AdminAction,
  BLOCK_KINDS,
  type BlockKind,
  isReason,
  QUOTA_FIELDS,
  type Quotas,
  REASONS,
  type Subject,
  subjectText,
} from '../core/moderation.ts';
import { type AdminStores, findStoredKey, type Operating } from './stores.ts';
import { subjectIn } from './subject.ts';

/** The actions, each with the kinds of subjects to which it applies. */
export const ACTS = {
  remove: ['file', 'link'],
  warn: ['link'],
  restore: ['link'],
  block: BLOCK_KINDS,
  unblock: BLOCK_KINDS,
  revoke: ['key'],
  quotas: ['key'],
  close: ['report'],
} as const satisfies Record<string, readonly Subject['kind'][]>;

export type ActName = keyof typeof ACTS;

/** The fields of an action, as a form or the command line sends them. */
export type ActFields = Readonly<Record<string, string | undefined>>;

const MAX_NOTE = 300;
const MAX_QUOTA = 10 ** 15;
/**
 * The prefix lengths of the widest networks that can be blocked. A wider network would include too many uninvolved
 * people.
 */
const WIDEST_BITS = { ipv4: 8, ipv6: 19 };

/**
 * Runs an action and returns its subject. Throws 400 with the name of the invalid field, and 409 if nothing was
 * changed.
 */
export async function perform(
  stores: AdminStores,
  operating: Operating,
  fields: ActFields,
  now: number,
): Promise<Subject> {
  const { act = '' } = fields;
  if (!Object.hasOwn(ACTS, act))
    throw badRequest(`The action must be one of ${Object.keys(ACTS).join(', ')}.`, 'act');
  const name = act as ActName;
  const subject = await exactSubject(stores, fields.subject ?? '');
  if (!(ACTS[name] as readonly string[]).includes(subject.kind)) {
    throw badRequest(`${name} does not apply to subjects of kind ${subject.kind}.`, 'subject');
  }
  const note = (fields.note ?? '').trim();
  if (!/^[^\p{C}]{1,300}$/u.test(note)) {
    throw badRequest(
      `The note must be one line of 1 to ${MAX_NOTE} characters that gives the reason.`,
      'note',
    );
  }
  const record: AdminAction = {
    at: now,
    who: operating.who,
    act: detailed(name, fields),
    subject: subjectText(subject),
    note,
  };
  if (await run(stores, name, subject, fields, record, operating)) return subject;
  throw conflict(
    'Nothing was changed: the subject does not exist, or the change was already made.',
  );
}

async function run(
  stores: AdminStores,
  name: ActName,
  subject: Subject,
  fields: ActFields,
  record: AdminAction,
  operating: Operating,
): Promise<boolean> {
  const { moderation, hosted } = stores;
  const { kind, value } = subject;
  switch (name) {
    case 'remove': {
      const reason = reasonOf(fields);
      if (kind === 'link')
        return moderation.markLink(value, { removed: reason, warned: null }, record);
      const file = await hosted.describe(value);
      if (!file || file.removed) return false;
      // The record is written first, so that no file disappears without a record.
      await moderation.record(record);
      return hosted.withdraw(value, reason);
    }
    case 'warn':
      return moderation.markLink(value, { removed: null, warned: reasonOf(fields) }, record);
    case 'restore':
      return moderation.markLink(value, { removed: null, warned: null }, record);
    case 'block': {
      const blockKind = kind as BlockKind;
      await refuseOwn(stores, { kind: blockKind, value }, operating);
      if (kind === 'account' && !(await stores.accounts.find(value))) return false;
      if (kind === 'key' && !(await stores.keys.get(value))) return false;
      const expiresAt = expiryOf(fields, record.at);
      const { note, at: createdAt } = record;
      return moderation.block({ kind: blockKind, value, note, createdAt, expiresAt }, record);
    }
    case 'unblock':
      return moderation.unblock({ kind: kind as BlockKind, value }, record);
    case 'revoke':
      return moderation.revokeKey(value, record);
    case 'quotas': {
      const key = await stores.keys.get(value);
      return key !== null && moderation.setQuotas(value, quotasOf(fields, key), record);
    }
    case 'close':
      return moderation.closeReport(value, record);
  }
}

/** Throws 409 if the block would lock out the operator, and 400 if the network is too wide. */
async function refuseOwn(
  stores: AdminStores,
  { kind, value }: { kind: BlockKind; value: string },
  { addresses }: Operating,
): Promise<void> {
  const { config, keys, moderation } = stores;
  const { adminAccounts } = config;
  if (kind === 'network') {
    const isIpv6 = value.includes(':');
    const widest = isIpv6 ? WIDEST_BITS.ipv6 : WIDEST_BITS.ipv4;
    if (Number(value.split('/')[1]) < widest) {
      throw badRequest(
        `The network is too large. Use a /${widest} network or a smaller one.`,
        'subject',
      );
    }
  }
  const owner = kind === 'key' ? ((await keys.get(value))?.accountId ?? '') : value;
  const isOwnMaker = async () => {
    const { makerKeys } = await moderation.snapshot(Date.now());
    const own = [
      ...addresses.map((address) => ({ address })),
      ...[...adminAccounts].map((accountId) => ({ address: '', accountId })),
    ];
    return own.some((caller) => makerNames(makerKeys, caller).includes(value));
  };
  const isOwn =
    (kind === 'network' && addresses.some((address) => isWithin(address, value))) ||
    ((kind === 'account' || kind === 'key') && adminAccounts.has(owner)) ||
    (kind === 'maker' && (await isOwnMaker()));
  if (isOwn) throw conflict('This block would lock you out. Nothing was changed.', 'subject');
}

/** Parses the subject of an action. The text must have the form `kind:value`. Throws 400. */
async function exactSubject(stores: AdminStores, text: string): Promise<Subject> {
  const subject = subjectIn(text);
  if (!subject)
    throw badRequest(
      'The subject must be kind:value with a valid value, such as link:abc123.',
      'subject',
    );
  if (subject.kind !== 'key') return subject;
  const key = await findStoredKey(stores, subject.value);
  return key ? { kind: 'key', value: key.id } : subject;
}

/** Describes the action and the values that it sets, for the record. */
function detailed(name: ActName, fields: ActFields): string {
  if (name === 'remove' || name === 'warn') return `${name} ${reasonOf(fields)}`;
  if (name === 'block') return `block ${fields.expires?.trim() || 'without expiry'}`.slice(0, 60);
  if (name !== 'quotas') return name;
  const set = QUOTA_FIELDS.filter((quota) => fields[quota]);
  return `quotas ${set.map((quota) => `${quota}=${fields[quota]}`).join(' ')}`.slice(0, 120);
}

function reasonOf({ reason }: ActFields) {
  if (isReason(reason)) return reason;
  throw badRequest(`The reason must be one of ${Object.keys(REASONS).join(', ')}.`, 'reason');
}

function expiryOf({ expires }: ActFields, now: number): number | null {
  if (!expires?.trim()) return null;
  const given = parseKeyExpiry(expires.trim(), now);
  if ('wrong' in given) throw badRequest(`The expiry ${given.wrong}.`, 'expires');
  return given.end;
}

/** Returns the key's quotas after the action. Quotas that the action does not set stay unchanged. Throws 400. */
function quotasOf(fields: ActFields, key: Quotas): Quotas {
  if (QUOTA_FIELDS.every((name) => !fields[name]?.trim())) {
    throw badRequest(`Set at least one of ${QUOTA_FIELDS.join(', ')}.`, QUOTA_FIELDS[0]);
  }
  const quotaOf = (name: keyof Quotas) => {
    const text = (fields[name] ?? '').trim();
    if (text === '') return key[name];
    if (/^\d{1,16}$/.test(text) && Number(text) <= MAX_QUOTA) return Number(text);
    throw badRequest(`${name} must be a whole number from 0 to ${MAX_QUOTA}.`, name);
  };
  return Object.fromEntries(QUOTA_FIELDS.map((name) => [name, quotaOf(name)])) as Quotas;
}
