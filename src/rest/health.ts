/** GET /health: 200 once the service runs, with its version and missing parts; `?deep=1`: the state of each part. */
import { isOperator } from '../access/operator.ts';
import { VERSION } from '../catalogue/version.ts';
import { overallState, type PartHealth } from '../core/health.ts';
import { type App, type AppContext, endpoint } from '../http.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };

interface DeepHealth {
  status: string;
  version: string;
  /** When the parts were last checked; null if no operator has asked this isolate yet. */
  checkedAt: string | null;
  parts: PartHealth[];
}

let last: DeepHealth = { status: 'unknown', version: VERSION, checkedAt: null, parts: [] };

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

/** Checks every part for the operator. Anyone else gets the last result, which costs nothing. */
async function deepHealth(c: AppContext): Promise<Response> {
  const { config, health } = c.env.services;
  if (await isOperator(c.req.raw, config.metricsToken)) {
    const checkedAt = new Date().toISOString();
    const parts = await health.check(true);
    last = { status: overallState(parts), version: VERSION, checkedAt, parts };
  }
  return Response.json(last, { headers: NO_STORE });
}
