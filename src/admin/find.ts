/** Searches the service's data on behalf of operators, under /admin and with `npm run admin`. */
import { makerNames, readMaker } from '../access/makers.ts';
import { firstDayOf, REPORTED_DAYS } from '../access/usage-report.ts';
import { notFound } from '../core/errors.ts';
import type { KeyRecord } from '../core/key-store.ts';
import {
  type AbuseReport,
  type AdminAction,
  REASONS,
  type Subject,
  subjectText,
} from '../core/moderation.ts';
import { type Facts, fileRow, keyFacts, linkRow, moment, type Row, reportRow } from './rows.ts';
import { type AdminStores, findStoredKey } from './stores.ts';
import { likelySubjects, subjectIn } from './subject.ts';

/** The data about one subject that operators see. */
export interface Found {
  subject: Subject;
  facts: Facts;
  /** The keys, links, files and reports that belong to the subject. */
  related: Row[];
  acts: AdminAction[];
}

export interface Overview {
  reports: Row[];
  blocks: Row[];
  acts: AdminAction[];
}

const MAX_LISTED = 50;
const MAX_RELATED = 20;

export class Finder {
  readonly #stores: AdminStores;

  constructor(stores: AdminStores) {
    this.#stores = stores;
  }

  async overview(now: number): Promise<Overview> {
    const { moderation } = this.#stores;
    const [reports, { blocks }, acts] = await Promise.all([
      moderation.openReports(MAX_LISTED),
      moderation.snapshot(now),
      moderation.acts(MAX_LISTED),
    ]);
    return {
      reports: reports.map(reportRow),
      blocks: blocks.map(({ kind, value, createdAt, expiresAt, note }) => ({
        subject: subjectText({ kind, value }),
        at: createdAt,
        text: `${expiresAt === null ? 'no expiry' : `until ${moment(expiresAt)}`}: ${note}`,
      })),
      acts,
    };
  }

  /** Lists the newest links, and the files that were stored in the last `hours` hours. */
  async newest(hours = 24): Promise<{ links: Row[]; files: Row[] }> {
    const { moderation, hosted } = this.#stores;
    const [links, files] = await Promise.all([
      moderation.newestLinks(MAX_LISTED),
      hosted.newest(hours * 3_600_000, MAX_LISTED),
    ]);
    return { links: links.map(linkRow), files: files.map(fileRow) };
  }

  /**
   * Finds the subject that a text refers to. The text is `kind:value`, a link, an ID, an address or a name. Throws 404
   * if nothing is found.
   */
  async find(text: string, now: number): Promise<Found> {
    const exact = subjectIn(text);
    for (const subject of exact ? [exact] : likelySubjects(text, this.#stores.config)) {
      const found = await this.#lookUp(subject, now);
      if (!found) continue;
      const acts = await this.#stores.moderation.acts(MAX_RELATED, subjectText(found.subject));
      return { ...found, acts };
    }
    throw notFound('Nothing was found. Enter a link, an ID, an IP address, a name or kind:value.');
  }

  async #lookUp(subject: Subject, now: number): Promise<Omit<Found, 'acts'> | null> {
    const { kind, value } = subject;
    switch (kind) {
      case 'file':
        return this.#file(value);
      case 'link':
        return this.#link(value);
      case 'report': {
        const report = await this.#stores.moderation.report(value);
        return report && this.#report(report);
      }
      case 'key': {
        const key = await findStoredKey(this.#stores, value);
        return (
          key && {
            ...this.#key(key),
            facts: [...keyFacts(key), ...(await this.#blockFacts({ kind, value: key.id }, now))],
          }
        );
      }
      case 'account':
        return this.#account(value, now);
      case 'maker':
        return this.#maker(value, now);
      case 'network':
      case 'host':
        return { subject, facts: await this.#blockFacts(subject, now), related: [] };
    }
  }

  async #file(id: string) {
    const file = await this.#stores.hosted.describe(id);
    if (!file) return null;
    const subject: Subject = { kind: 'file', value: id };
    const { storageUrl } = this.#stores.config;
    const facts: Facts = file.removed
      ? [['Removed', REASONS[file.removed]]]
      : [
          ['Link', `${storageUrl}/files/${id}/${encodeURIComponent(file.filename)}`],
          ['Name', file.filename],
          ['Type', file.contentType],
          ['Bytes', String(file.size)],
          ['Stored', moment(file.uploaded)],
        ];
    return {
      subject,
      facts: [...facts, ['Expires', moment(file.expiresAt)] as [string, string]],
      related: [
        ...(await this.#makerRows(file.maker, file.uploaded)),
        ...(await this.#reportRows(subject)),
      ],
    };
  }

  async #link(code: string) {
    const link = await this.#stores.moderation.link(code);
    if (!link) return null;
    const subject: Subject = { kind: 'link', value: code };
    const state = link.removed
      ? `removed: ${link.removed}`
      : link.warned
        ? `warning: ${link.warned}`
        : 'active';
    const facts: Facts = [
      ['Link', `${this.#stores.config.baseUrl}/${code}`],
      ['Target', link.url],
      ['State', state],
      ['Visits', String(link.visits)],
      ['Created', moment(link.createdAt)],
    ];
    const { hostname } = new URL(link.url);
    return {
      subject,
      facts,
      related: [
        { subject: `host:${hostname}`, at: link.createdAt, text: 'the target’s host' },
        ...(await this.#makerRows(link.maker, link.createdAt)),
        ...(await this.#reportRows(subject)),
      ],
    };
  }

  #report(report: AbuseReport) {
    const { id, subject, reason, details, contact, createdAt, closedAt } = report;
    return {
      subject: { kind: 'report', value: id } as Subject,
      facts: [
        ['Reason', REASONS[reason]],
        ['Details', details],
        ['Contact', contact],
        ['Received', moment(createdAt)],
        ['State', closedAt === null ? 'open' : `closed ${moment(closedAt)}`],
      ] as Facts,
      related: [{ subject, at: createdAt, text: 'the reported file or link' }],
    };
  }

  #key(key: KeyRecord) {
    const owner = key.accountId;
    return {
      subject: { kind: 'key', value: key.id } as Subject,
      related:
        owner === null
          ? []
          : [{ subject: `account:${owner}`, at: key.createdAt, text: 'its account' }],
    };
  }

  async #account(text: string, now: number): Promise<Omit<Found, 'acts'> | null> {
    const { accounts, keys, moderation, hosted, usage } = this.#stores;
    const account = await accounts.find(text);
    if (!account) return this.#accountsNamed(text);
    const { id, name, createdAt } = account;
    const subject: Subject = { kind: 'account', value: id };
    const { makerKeys } = await moderation.snapshot(now);
    const makers = makerNames(makerKeys, { address: '', accountId: id });
    const [owned, links, files, days, blocks] = await Promise.all([
      keys.list(id),
      moderation.newestLinks(MAX_RELATED, makers),
      hosted.madeBy(makers, MAX_RELATED),
      usage.days({ accountId: id }, firstDayOf(now)),
      this.#blockFacts(subject, now),
    ]);
    const total = (field: 'calls' | 'refused' | 'tokens') =>
      String(days.reduce((sum, day) => sum + day[field], 0));
    return {
      subject,
      facts: [
        ['Name', name],
        ['Created', moment(createdAt)],
        [`Calls in the last ${REPORTED_DAYS} days`, total('calls')],
        ['Refused calls', total('refused')],
        ['Model tokens', total('tokens')],
        ...blocks,
      ],
      related: [
        ...owned.map((key) => ({
          subject: `key:${key.id}`,
          at: key.createdAt,
          text: `${key.display} ${key.name}`,
        })),
        ...links.map(linkRow),
        ...files.map(fileRow),
      ],
    };
  }

  /** Finds the accounts with this name. Names are not unique. */
  async #accountsNamed(name: string): Promise<Omit<Found, 'acts'> | null> {
    const named = await this.#stores.moderation.accountsNamed(name);
    if (named.length === 0) return null;
    return {
      subject: { kind: 'account', value: name },
      facts: [['Accounts with this name', String(named.length)]],
      related: named.map(({ id }) => ({ subject: `account:${id}`, at: 0, text: name })),
    };
  }

  async #maker(value: string, now: number): Promise<Omit<Found, 'acts'>> {
    const { moderation, hosted } = this.#stores;
    const subject: Subject = { kind: 'maker', value };
    const [links, files, account, facts] = await Promise.all([
      moderation.newestLinks(MAX_RELATED, [value]),
      hosted.madeBy([value], MAX_RELATED),
      this.#accountOf(value, now),
      this.#blockFacts(subject, now),
    ]);
    return {
      subject,
      facts,
      related: [
        ...(account ? [{ subject: `account:${account}`, at: now, text: 'its account' }] : []),
        ...links.map(linkRow),
        ...files.map(fileRow),
      ],
    };
  }

  /**
   * Finds the account of a maker. The IDs of all accounts are hashed and compared, because the hash cannot be reversed.
   */
  async #accountOf(maker: string, now: number): Promise<string | null> {
    if (readMaker(maker)?.kind !== 'account') return null;
    const { moderation } = this.#stores;
    const { makerKeys } = await moderation.snapshot(now);
    for (let after = ''; ; ) {
      const ids = await moderation.accountIds(after, 1000);
      const found = ids.find((accountId) =>
        makerNames(makerKeys, { address: '', accountId }).includes(maker),
      );
      if (found !== undefined) return found;
      if (ids.length < 1000) return null;
      after = ids.at(-1)!;
    }
  }

  async #blockFacts({ kind, value }: Subject, now: number): Promise<Facts> {
    const { blocks } = await this.#stores.moderation.snapshot(now);
    const block = blocks.find((one) => one.kind === kind && one.value === value);
    if (!block) return [['Block', 'none']];
    const until = block.expiresAt === null ? 'without expiry' : `until ${moment(block.expiresAt)}`;
    return [['Block', `${until}: ${block.note}`]];
  }

  async #makerRows(maker: string | null, at: number): Promise<Row[]> {
    return maker === null || !readMaker(maker)
      ? []
      : [{ subject: `maker:${maker}`, at, text: 'its maker' }];
  }

  async #reportRows(subject: Subject): Promise<Row[]> {
    const reports = await this.#stores.moderation.reportsOn(subjectText(subject), MAX_RELATED);
    return reports.map(reportRow);
  }
}
