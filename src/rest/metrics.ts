/** GET /metrics: returns the metrics of this isolate in the Prometheus text format. Only the operator may read them. */
import { isOperator } from '../access/operator.ts';
import { VERSION } from '../catalogue/version.ts';
import { notFound } from '../core/errors.ts';
import { gauge, PROMETHEUS_TYPE, prometheusText } from '../core/prometheus.ts';
import { type App, type AppContext, endpoint } from '../http.ts';

const INFO = gauge('tools_info', 'The running version.', [
  { labels: { version: VERSION }, value: 1 },
]);

export function metricsRoute(app: App): void {
  endpoint(app, '/metrics', { GET: metrics });
}

async function metrics(c: AppContext): Promise<Response> {
  const { config, collectMetrics } = c.env.services;
  if (!(await isOperator(c.req.raw, config.metricsToken))) {
    throw notFound('There is nothing at /metrics.');
  }
  return new Response(prometheusText([INFO, ...(await collectMetrics())]), {
    headers: { 'Content-Type': PROMETHEUS_TYPE, 'Cache-Control': 'no-store' },
  });
}
