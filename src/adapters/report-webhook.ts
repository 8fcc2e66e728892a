/** Posts new abuse reports to the operator's webhook. */
import type { AbuseReport } from '../core/moderation.ts';
import { log } from '../lib/log.ts';

const TIMEOUT_MS = 10_000;

export type SendReport = (report: AbuseReport, adminUrl: string) => void;

/**
 * Posts the report once, after the response. The message omits the reporter's text, because a mail or chat program
 * could interpret it. The operator reads the text on /admin.
 */
export const sendReportTo =
  (webhook: string | undefined, inBackground: (work: Promise<void>) => void): SendReport =>
  ({ id, subject, reason, createdAt }, adminUrl) => {
    if (webhook === undefined) return;
    const text = `Abuse report ${id}: ${reason}, ${subject}. Review it at ${adminUrl}`;
    const report = { id, subject, reason, createdAt: new Date(createdAt).toISOString(), adminUrl };
    inBackground(post(webhook, { text, report }));
  };

async function post(webhook: string, message: unknown): Promise<void> {
  try {
    const response = await fetch(webhook, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
  } catch (error) {
    log('error', 'report-not-sent', { cause: error });
  }
}
