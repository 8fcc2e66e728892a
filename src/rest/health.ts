/**
 * GET /health: returns 200 with the version and the missing parts while the service is running. `?deep=1` returns the
 * state of each part.
 */
import { isOperator } from '../access/operator.ts';
import { VERSION } from '../catalogue/version.ts';
import { overallState } from '../core/health.ts';
import { type App, type AppContext, endpoint } from '../http.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };

export function healthRoute(app: App): void {
  endpoint(app, '/health', { GET: answerHealth });
}

async function answerHealth(c: AppContext): Promise<Response> {
  if (c.req.query('deep') === '1') return deepHealth(c);
  const missing = await c.env.services.missing();
  return Response.json(
    { status: missing.length === 0 ? 'ok' : 'degraded', version: VERSION, missing },
    { headers: NO_STORE },
  );
}

/** Checks every part if the operator sent the request. Everyone else gets the result of the last check. */
async function deepHealth(c: AppContext): Promise<Response> {
  const { config, health } = c.env.services;
  const isChecked = await isOperator(c.req.raw, config.metricsToken);
  const checked = isChecked ? await health.check(true) : undefined;
  const last = await health.last();
  const parts = checked ?? last?.parts ?? [];
  return Response.json(
    {
      status: last ? overallState(parts) : 'unknown',
      version: VERSION,
      // The time of the last check. It is null if no check ran in the last 24 hours.
      checkedAt: last ? new Date(last.at).toISOString() : null,
      parts,
    },
    { headers: NO_STORE },
  );
}
