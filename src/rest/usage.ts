/** GET /api/v1/usage: what the caller's key, or the signed-in person's account, has used, and what is left. */
import { sessionOf } from '../access/accounts/sessions.ts';
import { authenticateKey } from '../access/api-keys.ts';
import { bearerToken } from '../access/bearer-token.ts';
import { usageReport } from '../access/usage-report.ts';
import { ToolError } from '../core/errors.ts';
import { type App, type AppContext, endpoint } from '../http.ts';

export function usageRoute(app: App): void {
  endpoint(app, '/api/v1/usage', { GET: getUsage });
}

async function getUsage(c: AppContext): Promise<Response> {
  return Response.json(await reportFor(c, Date.now()), {
    headers: { 'Cache-Control': 'no-store' },
  });
}

async function reportFor(c: AppContext, now: number) {
  const { keys, sessions, usage } = c.env.services;
  const token = bearerToken(c.req.raw.headers.get('Authorization'));
  if (token !== null) {
    const { id } = await authenticateKey(token, keys, now);
    const key = await keys.get(id);
    return usageReport({ keyId: id }, key ? [key] : [], usage, now);
  }
  const session = await sessionOf(c.req.raw, sessions, now);
  if (session) {
    const { accountId } = session;
    return usageReport({ accountId }, await keys.list(accountId), usage, now);
  }
  throw new ToolError(
    'invalid_key',
    'Usage is counted by key: send yours as "Authorization: Bearer tsk_…". Make one at /developers.',
  );
}
