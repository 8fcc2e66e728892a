/** Handles GET /api/v1/openapi.json, which returns the machine-readable description of the REST API. */
import { type App, endpoint } from '../http.ts';

export function descriptionRoutes(app: App): void {
  endpoint(app, '/api/v1/openapi.json', {
    GET: async (c) => {
      const { openApi } = await import('../catalogue/openapi.ts');
      return Response.json(openApi(c.env.services.config), {
        headers: { 'Cache-Control': 'public, max-age=300' },
      });
    },
  });
}
