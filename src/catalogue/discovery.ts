/** Describes the MCP servers for clients and registries, in /.well-known/mcp.json, server cards and server.json. */
import {
  DISCOVERED_PROTOCOL,
  ENDPOINTS,
  MCP_SERVER_VERSION,
  type McpEndpoint,
  PROTOCOL_VERSIONS,
} from './mcp-endpoints.ts';

export interface Deployment {
  baseUrl: string;
  serviceName: string;
  requireSignIn: boolean;
}

/** Describes how callers authenticate (api.md, Authentication, item 8). */
const authentication = ({ requireSignIn }: Deployment) => ({
  type: 'bearer',
  required: requireSignIn,
  description: requireSignIn
    ? 'Every call needs an account\'s API key, sent as "Authorization: Bearer …".'
    : 'Anonymous access is rate limited. An API key, sent as "Authorization: Bearer …", raises the limits.',
});

/** Returns all MCP servers, for /.well-known/mcp.json. */
export function discovery(deployment: Deployment): Record<string, unknown> {
  const { baseUrl, serviceName } = deployment;
  return {
    name: serviceName,
    version: MCP_SERVER_VERSION,
    protocolVersion: DISCOVERED_PROTOCOL,
    authentication: authentication(deployment),
    servers: ENDPOINTS.map(({ path, name, description, tools }) => ({
      name,
      description,
      url: baseUrl + path,
      transport: 'streamable-http',
      version: MCP_SERVER_VERSION,
      protocolVersion: DISCOVERED_PROTOCOL,
      supportedProtocolVersions: PROTOCOL_VERSIONS,
      authentication: authentication(deployment),
      toolCount: tools.length,
      tools: tools.map(({ name }) => name),
      serverCard: `${baseUrl}${path}/server-card`,
    })),
  };
}

/** Returns the server card of one MCP server (SEP-2127). */
export function serverCard(endpoint: McpEndpoint, deployment: Deployment): Record<string, unknown> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...identity(endpoint, deployment),
    remotes: [
      {
        type: 'streamable-http',
        url: deployment.baseUrl + endpoint.path,
        supportedProtocolVersions: PROTOCOL_VERSIONS,
        headers: [keyHeader(deployment)],
      },
    ],
  };
}

/** Returns all servers in the format of the MCP Registry. */
export function serverJson(deployment: Deployment): Record<string, unknown> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...identity(ENDPOINTS[0]!, deployment),
    remotes: ENDPOINTS.map(({ path }) => ({
      type: 'streamable-http',
      url: deployment.baseUrl + path,
      headers: [keyHeader(deployment)],
    })),
  };
}

/** Returns the repository's server.json, in which the variable `{host}` stands for a deployment's host. */
export function serverJsonTemplate(): Record<string, unknown> {
  const { remotes, ...identified } = serverJson({
    baseUrl: 'https://tools.example.com',
    serviceName: 'Tools',
    requireSignIn: false,
  });
  const { websiteUrl: _, ...retained } = identified;
  return {
    ...retained,
    remotes: (remotes as { url: string }[]).map((remote) => ({
      ...remote,
      url: remote.url.replace('tools.example.com', '{host}'),
      variables: { host: { description: 'The host of the deployment', isRequired: true } },
    })),
  };
}

const keyHeader = ({ requireSignIn }: Deployment) => ({
  name: 'Authorization',
  description: requireSignIn
    ? '"Bearer", followed by the API key of an account.'
    : 'Optional: "Bearer", followed by an API key, which raises the rate limits.',
  isRequired: requireSignIn,
  isSecret: true,
});

function identity({ name, title, description }: McpEndpoint, { baseUrl, serviceName }: Deployment) {
  return {
    name: `${reversed(baseUrl)}/${name === 'all' ? 'tools' : `tools-${name}`}`,
    title: name === 'all' ? serviceName : `${serviceName}: ${title}`,
    description,
    version: MCP_SERVER_VERSION,
    websiteUrl: baseUrl,
  };
}

/**
 * Returns the host with its labels reversed, for use as a server's namespace: `tools.example.com` becomes
 * `com.example.tools`. For an IP address, returns `local`.
 */
function reversed(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$|:/.test(hostname) ? 'local' : hostname.split('.').toReversed().join('.');
}
