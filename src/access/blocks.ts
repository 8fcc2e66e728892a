/**
 * Checks calls against the operator's blocks. Each isolate reloads its list every 30 seconds, so a block takes effect
 * everywhere within a minute, and on a single machine within 5 seconds.
 */
import ipaddr from 'ipaddr.js';
import type { Caller } from '../core/caller.ts';
import { ToolError } from '../core/errors.ts';
import type { Block, BlockKind, MakerKey, Snapshot } from '../core/moderation.ts';
import { log } from '../lib/log.ts';
import { networkOf } from '../lib/network.ts';
import { makerNames, makerOf } from './makers.ts';

interface Ages {
  /** The age of the list, in milliseconds, after which it is reloaded in the background. */
  refreshMs: number;
  /** The age of the list, in milliseconds, after which calls wait for a new one. */
  waitMs: number;
}

/** The age limits when many isolates read one database. */
const AGES: Ages = { refreshMs: 30_000, waitMs: 50_000 };
/** The age limits when a single isolate reads a database on the same machine. */
export const LOCAL_AGES: Ages = { refreshMs: 2000, waitMs: 4000 };
/**
 * The time in milliseconds after which a background read counts as failed, because the platform may have cancelled its
 * request.
 */
const READING_MS = 10_000;
/** The pause after a failed read, in milliseconds. The old list stays in use until the next read. */
const RETRY_MS = 5000;
const MAX_REMEMBERED = 10_000;

type Range = ReturnType<typeof ipaddr.parseCIDR>;

export class Blocks {
  readonly #read: () => Promise<Snapshot>;
  readonly #inBackground: (work: Promise<void>) => void;
  readonly #clock: () => number;
  readonly #ages: Ages;
  #readAt = Number.NEGATIVE_INFINITY;
  #nextReadAt = Number.NEGATIVE_INFINITY;
  #lastReadFailed = false;
  #byValue = new Map<string, Block>();
  #ranges: { range: Range; block: Block }[] = [];
  #blocksMakers = false;
  #makerKeys: readonly MakerKey[] = [];
  #changedKeys = new Map<string, number>();
  /** Caches the block for each address until the next read. The block is null if the address is not blocked. */
  #checked = new Map<string, Block | null>();

  constructor(
    read: () => Promise<Snapshot>,
    inBackground: (work: Promise<void>) => void,
    ages = AGES,
    clock: () => number = Date.now,
  ) {
    this.#read = read;
    this.#inBackground = inBackground;
    this.#clock = clock;
    this.#ages = ages;
  }

  /** Reloads the list if it is old. Returns a promise if the call must wait for the new list. Never rejects. */
  ensureRecent(): Promise<void> | undefined {
    const now = this.#clock();
    const age = now - this.#readAt;
    if (age < this.#ages.refreshMs || now < this.#nextReadAt) return undefined;
    // A call cannot await another request's reload, so each call starts its own. After a failed reload, calls do not
    // wait.
    if (age >= this.#ages.waitMs && !this.#lastReadFailed) return this.reload();
    this.#nextReadAt = now + READING_MS;
    this.#inBackground(this.reload());
    return undefined;
  }

  /** Reads the list. If this fails, the old list stays in use. Never rejects. */
  async reload(): Promise<void> {
    const now = this.#clock();
    try {
      this.#install(await this.#read());
      this.#readAt = now;
      this.#nextReadAt = now + this.#ages.refreshMs;
      this.#lastReadFailed = false;
    } catch (error) {
      this.#nextReadAt = this.#clock() + RETRY_MS;
      this.#lastReadFailed = true;
      log('error', 'blocks-not-read', { cause: error });
    }
  }

  /** Throws 403 if the address is blocked. */
  refuseAddress(address: string): void {
    const block = this.#blockOfAddress(address);
    if (block) throw blocked('address', block);
  }

  /** Throws 403 if the caller's key or account is blocked. */
  refuseKnown(caller: Caller): void {
    const { key, accountId } = caller;
    const ofKey = key && this.#find('key', key.id);
    if (ofKey) throw blocked('key', ofKey);
    if (accountId === undefined) return;
    const ofAccount = this.#find('account', accountId) ?? this.#blockOfMaker(caller);
    if (ofAccount) throw blocked('account', ofAccount);
  }

  /** Whether short links to this host, or to one of its parent domains, are blocked. */
  blocksHost(hostname: string): boolean {
    const labels = hostname.replace(/\.$/, '').split('.');
    return labels.some((_, first) => this.#find('host', labels.slice(first).join('.')));
  }

  /**
   * Returns the maker's name that is stored with this caller's files and links (makers.ts). Returns undefined until a
   * maker key has been read.
   */
  readonly makerOf = (caller: Caller): string | undefined => makerOf(this.#makerKeys, caller);

  /**
   * Returns the ID of the latest operator action on this key. Returns undefined if there was none in the last two
   * hours.
   */
  latestActOn(keyId: string): number | undefined {
    return this.#changedKeys.get(keyId);
  }

  #install({ blocks, makerKeys, changedKeys }: Snapshot): void {
    this.#changedKeys = new Map(changedKeys.map(({ key, act }) => [key, act]));
    this.#byValue = new Map(blocks.map((block) => [`${block.kind}:${block.value}`, block]));
    this.#ranges = blocks
      .filter(({ kind }) => kind === 'network')
      .map((block) => ({ range: ipaddr.parseCIDR(block.value), block }));
    this.#blocksMakers = blocks.some(({ kind }) => kind === 'maker');
    this.#makerKeys = makerKeys;
    this.#checked = new Map();
  }

  #find(kind: BlockKind, value: string): Block | undefined {
    const block = this.#byValue.get(`${kind}:${value}`);
    return block && this.#applies(block) ? block : undefined;
  }

  #applies({ expiresAt }: Block): boolean {
    return expiresAt === null || expiresAt > this.#clock();
  }

  #blockOfMaker(caller: Caller): Block | undefined {
    if (!this.#blocksMakers) return undefined;
    for (const name of makerNames(this.#makerKeys, caller)) {
      const block = this.#find('maker', name);
      if (block) return block;
    }
    return undefined;
  }

  #blockOfAddress(address: string): Block | undefined {
    if (this.#ranges.length === 0 && !this.#blocksMakers) return undefined;
    let block = this.#checked.get(address);
    if (block === undefined) {
      block = this.#inRanges(address) ?? this.#blockOfMaker({ address }) ?? null;
      if (this.#checked.size >= MAX_REMEMBERED) this.#checked.clear();
      this.#checked.set(address, block);
    }
    return block && this.#applies(block) ? block : undefined;
  }

  #inRanges(address: string): Block | undefined {
    if (!ipaddr.isValid(address)) return undefined;
    const parsed = ipaddr.process(address);
    return this.#ranges.find(({ range, block }) => covers(range, parsed) && this.#applies(block))
      ?.block;
  }
}

const covers = (range: Range, address: ReturnType<typeof ipaddr.process>): boolean =>
  range[0].kind() === address.kind() && address.match(range);

/** Whether an address is in a network. Returns false if the text is not an address. */
export const isWithin = (address: string, cidr: string): boolean =>
  ipaddr.isValid(address) && covers(ipaddr.parseCIDR(cidr), ipaddr.process(address));

/**
 * Normalizes a network in CIDR form by clearing its host bits. `203.0.113.7` becomes `203.0.113.7/32`. A single IPv6
 * address becomes its /64, because limits are counted per /64. IPv4-mapped IPv6 networks become IPv4 networks, because
 * callers' addresses are IPv4. Returns null if the text is neither an address nor a network.
 */
export function networkIn(text: string): string | null {
  if (ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const network = networkOf(text);
    return network.includes('/') ? network : `${ipaddr.process(text)}/32`;
  }
  if (!ipaddr.isValidCIDR(text)) return null;
  const [address, bits] = ipaddr.parseCIDR(text);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    return bits < 96 ? null : networkIn(`${address.toIPv4Address()}/${bits - 96}`);
  }
  const first =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(text)
      : ipaddr.IPv6.networkAddressFromCIDR(text);
  return `${first}/${bits}`;
}

function blocked(what: 'address' | 'key' | 'account', { expiresAt }: Block): ToolError {
  const until =
    expiresAt === null ? '' : ` until ${new Date(expiresAt).toISOString().slice(0, 16)}Z`;
  return new ToolError(
    what === 'address' ? 'bad_request' : 'invalid_key',
    `The operator blocked this ${what}${until}. To object, see /contact.`,
    { status: 403 },
  );
}
