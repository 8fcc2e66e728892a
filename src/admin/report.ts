/** Receives abuse reports. Anyone can send one, but only an operator can change the reported file or link. */
import { badRequest, unavailable } from '../core/errors.ts';
import {
  type AbuseReport,
  type HostedFiles,
  isReason,
  type ModerationStore,
  REASONS,
  subjectText,
} from '../core/moderation.ts';
import { randomBase62 } from '../lib/base62.ts';
import { type Addresses, linkedSubject } from './subject.ts';

export const MAX_DETAILS = 2000;
export const MAX_CONTACT = 200;
/** The limit on open reports. Without it, reports from many addresses could fill the database. */
const MAX_OPEN = 1000;

interface Stores {
  moderation: Pick<ModerationStore, 'addReport' | 'link'>;
  hosted: Pick<HostedFiles, 'describe'>;
  config: Addresses;
}

/**
 * Stores a report about a link of this service. Throws 400 with the name of the field, and 503 if too many reports are
 * open.
 */
export async function addReport(
  fields: Record<string, unknown>,
  { moderation, hosted, config }: Stores,
  now: number,
): Promise<AbuseReport> {
  const subject = linkedSubject(String(fields.url ?? '').slice(0, 2000), config);
  if (!subject) {
    throw badRequest(
      `The URL must be a short link or a file link of this service, such as ${config.baseUrl}/abc123.`,
      'url',
    );
  }
  if (!isReason(fields.reason)) {
    throw badRequest(`The reason must be one of ${Object.keys(REASONS).join(', ')}.`, 'reason');
  }
  const exists =
    subject.kind === 'file'
      ? await hosted.describe(subject.value)
      : await moderation.link(subject.value);
  if (!exists) {
    throw badRequest(
      'The URL does not point to a stored file or short link. Check that it is complete and has not expired.',
      'url',
    );
  }
  const report = {
    id: `r_${randomBase62(12)}`,
    subject: subjectText(subject),
    reason: fields.reason,
    details: cleaned(fields.details, MAX_DETAILS, 'details'),
    contact: cleaned(fields.contact, MAX_CONTACT, 'contact').replaceAll('\n', ' '),
    createdAt: now,
    closedAt: null,
  };
  if (await moderation.addReport(report, MAX_OPEN)) return report;
  throw unavailable('Too many reports are open. Contact the operator: see /contact.', 3600);
}

/** Removes control characters and characters that change the text direction. Throws 400 if the text is too long. */
function cleaned(value: unknown, most: number, param: string): string {
  if (value !== undefined && typeof value !== 'string') {
    throw badRequest(`The ${param} must be text.`, param);
  }
  const text = (value ?? '')
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{C}\n]/gu, '')
    .trim();
  if (text.length > most)
    throw badRequest(`The ${param} must have at most ${most} characters.`, param);
  return text;
}
