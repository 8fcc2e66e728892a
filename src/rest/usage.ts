/**
 * GET /api/v1/usage: returns the usage and the remaining quotas of the caller's key or, without a key, of the signed-in
 * account.
 */
import { bearerToken } from '../access/bearer-token.ts';
import { type ExactlySpent, usageReport } from '../access/usage-report.ts';
import { webhookSecret } from '../access/webhook-secret.ts';
import type { Caller } from '../core/caller.ts';
import { ToolError } from '../core/errors.ts';
import { type App, type AppContext, endpoint } from '../http.ts';

export function usageRoute(app: App): void {
  endpoint(app, '/api/v1/usage', { GET: getUsage }, 'usage');
}

async function getUsage(c: AppContext): Promise<Response> {
  const admission = await c.env.startAdmission('usage');
  await admission.chargeGeneral();
  const report = await reportFor(c, admission.caller, Date.now());
  return Response.json(report, { headers: { 'Cache-Control': 'no-store' } });
}

async function reportFor(c: AppContext, { key, accountId }: Caller, now: number) {
  const { keys, usage, access } = c.env.services;
  const exactly: ExactlySpent = (records) => access.spent(records);
  if (key) {
    const record = await keys.get(key.id);
    const report = await usageReport(
      { keyId: key.id },
      record ? [record] : [],
      usage,
      now,
      exactly,
    );
    const token = bearerToken(c.req.header('Authorization') ?? '');
    return { ...report, webhookSecret: await webhookSecret(token) };
  }
  if (accountId !== undefined) {
    return usageReport({ accountId }, await keys.list(accountId), usage, now, exactly);
  }
  throw new ToolError(
    'invalid_key',
    'Usage is counted per key. Send your key as "Authorization: Bearer tsk_…", or create one at /developers.',
  );
}
