/**
 * Defines moderation by operators: blocks, removals, reports and recorded actions. Times are milliseconds since the
 * epoch.
 */
import { DAY_MS } from './calendar.ts';
import { ToolError } from './errors.ts';

/** The reasons for a report, removal or warning. Each text completes the phrase "because of …". */
export const REASONS = {
  malware: 'malware',
  phishing: 'phishing',
  illegal: 'illegal content',
  copyright: 'a copyright claim',
  privacy: 'personal data',
  spam: 'spam',
  other: 'a breach of the terms',
} as const;

export type Reason = keyof typeof REASONS;

export const isReason = (text: unknown): text is Reason =>
  typeof text === 'string' && Object.hasOwn(REASONS, text);

/** A subject that an operator can look up and act on, written as `kind:value`. */
export interface Subject {
  kind: 'file' | 'link' | 'report' | BlockKind;
  /** An ID, the code of a short link, a network in CIDR notation, the hashed name of a maker, or a host name. */
  value: string;
}

export const BLOCK_KINDS = ['network', 'account', 'key', 'maker', 'host'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

export const subjectText = ({ kind, value }: Subject) => `${kind}:${value}`;

/** A block of callers or, if its kind is `host`, of short links to a host. */
export interface Block {
  kind: BlockKind;
  value: string;
  note: string;
  createdAt: number;
  /** The expiry. Null for a block that does not expire. */
  expiresAt: number | null;
}

/**
 * The time for which a key is used to compute makers' names, and the time for which a name is stored with a link, in
 * milliseconds. A key is stored for the sum of both, so that stored names can be recomputed.
 */
export const MAKER_KEY_LIFE_MS = 30 * DAY_MS;
export const MAKER_LIFE_MS = 90 * DAY_MS;

/** A key of the hash function that computes makers' names (access/makers.ts). */
export interface MakerKey {
  id: number;
  secret: string;
  createdAt: number;
}

/** The data that every isolate caches. */
export interface Snapshot {
  blocks: Block[];
  /** The keys for makers' names, newest first. */
  makerKeys: MakerKey[];
  /** The keys that operators changed in the last two hours, each with the ID of its latest action. */
  changedKeys: { key: string; act: number }[];
}

export interface ShortLink {
  code: string;
  url: string;
  createdAt: number;
  visits: number;
  maker: string | null;
  removed: Reason | null;
  warned: Reason | null;
}

export interface HostedFile {
  id: string;
  filename: string;
  contentType: string;
  /** The size in bytes. */
  size: number;
  uploaded: number;
  expiresAt: number;
  maker: string | null;
  removed: Reason | null;
}

export interface AbuseReport {
  id: string;
  /** The reported file or link. */
  subject: string;
  reason: Reason;
  details: string;
  contact: string;
  createdAt: number;
  closedAt: number | null;
}

/** The record of an operator's action. It states who did what to which subject, when and why. */
export interface AdminAction {
  at: number;
  /** The operator as `account:ID` or `shell:USER`. */
  who: string;
  act: string;
  subject: string;
  note: string;
}

/** The quotas of an API key and their names for operators. The options of the CLI have the same names. */
export const QUOTA_NAMES = {
  requestsPerDay: 'Requests per day',
  tokensPerMonth: 'Model tokens per month',
  bytesPerDay: 'Stored bytes per day',
} as const;

export type Quotas = Record<keyof typeof QUOTA_NAMES, number>;

export const QUOTA_FIELDS = Object.keys(QUOTA_NAMES) as (keyof Quotas)[];

/**
 * Stores blocks, reports and operator actions. Each method that takes an `act` records it. All of them except `record`
 * return false, and record nothing, if there is nothing to change.
 */
export interface ModerationStore {
  snapshot(now: number): Promise<Snapshot>;
  link(code: string): Promise<ShortLink | null>;
  /** Returns the newest links whose maker's name is still stored, optionally only those of `makers`. */
  newestLinks(most: number, makers?: readonly string[]): Promise<ShortLink[]>;
  accountsNamed(name: string): Promise<{ id: string; name: string }[]>;
  /** Returns the account IDs that follow `after`, in ascending order. */
  accountIds(after: string, most: number): Promise<string[]>;
  keyIds(display: string): Promise<string[]>;
  /** Adds a report. Returns false if `mostOpen` reports are already open. */
  addReport(report: AbuseReport, mostOpen: number): Promise<boolean>;
  report(id: string): Promise<AbuseReport | null>;
  openReports(most: number): Promise<AbuseReport[]>;
  reportsOn(subject: string, most: number): Promise<AbuseReport[]>;
  /** Returns the latest actions, optionally only those on `subject`. */
  acts(most: number, subject?: string): Promise<AdminAction[]>;

  record(act: AdminAction): Promise<void>;
  markLink(
    code: string,
    mark: Pick<ShortLink, 'removed' | 'warned'>,
    act: AdminAction,
  ): Promise<boolean>;
  block(block: Block, act: AdminAction): Promise<boolean>;
  unblock(block: Pick<Block, 'kind' | 'value'>, act: AdminAction): Promise<boolean>;
  revokeKey(id: string, act: AdminAction): Promise<boolean>;
  setQuotas(keyId: string, quotas: Quotas, act: AdminAction): Promise<boolean>;
  closeReport(id: string, act: AdminAction): Promise<boolean>;
  cleanUp(now: number): Promise<void>;
}

/** Gives operators access to stored files. */
export interface HostedFiles {
  /** Returns null if the file is unknown or has expired. */
  describe(id: string): Promise<HostedFile | null>;
  /**
   * Deletes the bytes, and stores the reason until the file would have expired. Returns false if there is no such file.
   */
  withdraw(id: string, reason: Reason): Promise<boolean>;
  /** Returns the files stored within the last `ms`, newest first. */
  newest(ms: number, most: number): Promise<HostedFile[]>;
  /** Returns the unexpired files of these makers, newest first. Searches only the 20,000 files that expire first. */
  madeBy(makers: readonly string[], most: number): Promise<HostedFile[]>;
}

/** 410: an operator removed the file or link. The body contains the reason. */
export const removed = (what: 'file' | 'link', reason: Reason) =>
  new ToolError(
    'not_found',
    `The operator removed this ${what} because of ${REASONS[reason]}. To object, see /contact.`,
    { status: 410, extra: { reason } },
  );
