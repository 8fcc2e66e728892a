/** GET /health: 200 once the service runs, with its version and missing parts; `?deep=1`: the state of each part. */
import { VERSION } from '../catalogue/version.ts';
import { isLoopbackHost } from '../core/egress-hosts.ts';
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
  endpoint(app, '/health', { GET: health });
}

async function health(c: AppContext): Promise<Response> {
  if (c.req.query('deep') === '1') return deepHealth(c);
  const missing = await c.env.services.missing();
  return Response.json(
    { status: missing.length === 0 ? 'ok' : 'degraded', version: VERSION, missing },
    { headers: NO_STORE },
  );
}

/** Checks every part for the operator. Anyone else gets the last result, which costs nothing. */
async function deepHealth(c: AppContext): Promise<Response> {
  if (await isOperator(c)) {
    const checkedAt = new Date().toISOString();
    const parts = await c.env.services.checkParts();
    last = { status: overallState(parts), version: VERSION, checkedAt, parts };
  }
  return Response.json(last, { headers: NO_STORE });
}

async function isOperator(c: AppContext): Promise<boolean> {
  const address = c.req.header('CF-Connecting-IP') ?? '';
  if (isLoopbackHost(address)) return true;
  const { metricsToken } = c.env.services.config;
  const shown = c.req.header('Authorization');
  return metricsToken !== undefined && isSame(shown ?? '', `Bearer ${metricsToken}`);
}

/** Compares digests, so that the duration reveals nothing about the token. */
async function isSame(shown: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [shown, expected].map((text) =>
      crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
    ),
  );
  return crypto.subtle.timingSafeEqual(a!, b!);
}
