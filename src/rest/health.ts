/** GET /health: 200 once the service answers, with its version and what is missing. */
import { VERSION } from '../catalogue/openapi.ts';
import { type App, type AppContext, endpoint } from '../http.ts';

export function healthRoute(app: App): void {
  endpoint(app, '/health', { GET: health });
}

async function health(c: AppContext): Promise<Response> {
  const missing = await c.env.services.missing();
  return Response.json(
    { status: missing.length === 0 ? 'ok' : 'degraded', version: VERSION, missing },
    { headers: { 'Cache-Control': 'no-store' } },
  );
}
