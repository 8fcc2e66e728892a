/** Builds the rows of the lists that operators see. */
import type { KeyRecord } from '../core/key-store.ts';
import {
  type AbuseReport,
  type HostedFile,
  QUOTA_FIELDS,
  QUOTA_NAMES,
  type ShortLink,
} from '../core/moderation.ts';

/** Facts about a subject, each with its name and its value. */
export type Facts = [name: string, value: string][];

/** A row of a list. It has a subject, its time in milliseconds since the epoch, and its description. */
export interface Row {
  subject: string;
  at: number;
  text: string;
}

/** Formats a time, such as `2026-11-21 10:00Z`. */
export const moment = (time: number) =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`;

export const reportRow = ({ id, subject, reason, createdAt, closedAt }: AbuseReport): Row => ({
  subject: `report:${id}`,
  at: createdAt,
  text: `${reason}, ${subject}${closedAt === null ? '' : ', closed'}`,
});

export const linkRow = ({ code, url, createdAt, removed }: ShortLink): Row => ({
  subject: `link:${code}`,
  at: createdAt,
  text: removed ? `removed: ${removed}` : url,
});

export const fileRow = ({
  id,
  filename,
  contentType,
  size,
  uploaded,
  removed,
}: HostedFile): Row => ({
  subject: `file:${id}`,
  at: uploaded,
  text: removed ? `removed: ${removed}` : `${filename}, ${contentType}, ${size} bytes`,
});

export const keyFacts = (key: KeyRecord): Facts => [
  ['Key', key.display],
  ['Name', key.name],
  ['Kind', key.kind],
  ['Created', moment(key.createdAt)],
  ['Revoked', key.revokedAt === null ? 'no' : moment(key.revokedAt)],
  ['Expires', key.expiresAt === null ? 'never' : moment(key.expiresAt)],
  ['Last used', key.lastUsedAt === null ? 'never' : moment(key.lastUsedAt)],
  ...QUOTA_FIELDS.map((quota): [string, string] => [QUOTA_NAMES[quota], String(key[quota])]),
];
