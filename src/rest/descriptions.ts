/** The machine-readable description of the REST API. */
import { type App, endpoint } from '../http.ts';

export function descriptionRoutes(app: App): void {
  endpoint(app, '/api/v1/openapi.json', {
    GET: async (c) => {
      const { openApi } = await import('../catalogue/openapi.ts');
      const { baseUrl, serviceName } = c.env.services.config;
      return Response.json(openApi(baseUrl, serviceName), {
        headers: { 'Cache-Control': 'public, max-age=300' },
      });
    },
  });
}
