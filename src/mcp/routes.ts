/** Registers the MCP endpoints, and the documents through which clients and registries discover them. */
import { discovery, serverCard, serverJson } from '../catalogue/discovery.ts';
import { ENDPOINTS, type McpEndpoint } from '../catalogue/mcp-endpoints.ts';
import { notFound, ToolError } from '../core/errors.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { answerMcp } from './answer.ts';

export function mcpRoutes(app: App): void {
  for (const mcp of ENDPOINTS) {
    endpoint(app, mcp.path, { POST: (c) => answerMcp(c, mcp) }, 'mcp', (c) =>
      notForBrowsers(c, mcp),
    );
    description(app, `${mcp.path}/server-card`, 'application/mcp-server-card+json', (c) =>
      serverCard(mcp, c.env.services.config),
    );
  }
  description(app, '/.well-known/mcp.json', 'application/json', (c) =>
    discovery(c.env.services.config),
  );
  description(app, '/server.json', 'application/json', (c) => serverJson(c.env.services.config));
}

/** Responds to mistyped paths below /api/mcp with a hint for the agent or its user. */
export function strayMcpRoutes(app: App): void {
  app.all('/api/mcp/:domain', async (c) => {
    await (await c.env.startAdmission('mcp')).reportLimits();
    throw notFound(
      `There is no MCP domain "${c.req.param('domain').slice(0, 60)}". The domains are ${ENDPOINTS.flatMap(({ domain }) => domain ?? []).join(', ')}.`,
      'domain',
    );
  });
  app.all('/api/mcp/', () => {
    throw notFound('The MCP endpoint is /api/mcp, without a trailing slash.');
  });
  // Clients request these paths before they connect. If they got a page instead of a 404, they would expect a login.
  app.all('/.well-known/*', (c) => {
    throw notFound(
      `There is nothing at ${c.req.path.slice(0, 200)}. This service does not use OAuth. If you have an API key, send it as a Bearer token.`,
    );
  });
}

function description(
  app: App,
  path: string,
  type: string,
  make: (c: AppContext) => Record<string, unknown>,
): void {
  endpoint(app, path, {
    GET: (c) =>
      new Response(JSON.stringify(make(c), null, 2), {
        headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' },
      }),
  });
}

/** Returns the 405 that clients expect when they try to open a stream. People who open the URL can read it. */
function notForBrowsers(c: AppContext, { path }: McpEndpoint): ToolError {
  const { baseUrl } = c.env.services.config;
  return new ToolError(
    'bad_request',
    `This is an MCP server for AI clients. Add ${baseUrl}${path} to your client as a Streamable HTTP server; it accepts JSON-RPC by POST. All servers: ${baseUrl}/.well-known/mcp.json`,
    { status: 405, headers: { Allow: 'POST, OPTIONS' } },
  );
}
