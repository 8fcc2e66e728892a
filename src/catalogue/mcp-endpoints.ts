/** Defines the MCP endpoints and their tools: one endpoint for all tools, one per domain, and one for agents. */
import { DOMAINS, type Domain, type Tool } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { AGENT_TOOLS } from './agent-tools.ts';
import { isExecutable } from './catalogue.ts';

/** The versions in the discovery documents (api.md, Versioning). */
export const MCP_SERVER_VERSION = '2.1.1';
export const DISCOVERED_PROTOCOL = '2024-11-05';

/** The supported protocol versions, oldest first (decisions.md, MCP). The last version is stateless. */
export const PROTOCOL_VERSIONS = [
  DISCOVERED_PROTOCOL,
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
] as const;

export interface McpEndpoint {
  /** The name in discovery documents. */
  name: 'all' | 'agent' | Domain;
  /** The domain of the tools, or null if the endpoint has tools from all domains. */
  domain: Domain | null;
  path: string;
  title: string;
  /** The description in one sentence. The MCP Registry limits it to 100 characters. */
  description: string;
  tools: readonly Tool[];
}

const MAIN_PATH = '/api/mcp';

const ABOUT: Record<Domain, [title: string, description: string]> = {
  documents: ['Documents', 'Merge, split, compress and create PDFs; read text from files.'],
  media: ['Media', 'Compress, convert, split and generate images; QR codes.'],
  web: ['Web', 'Screenshots, logos and metadata of web pages; short links.'],
  text: ['Text', 'Rewrite, draft, outline, generate and compare text.'],
  dev: ['Developer tools', 'Base64, URL encoding, JWT, JSON, percentages, SQL and fake data.'],
};

/** The tools on the endpoints that the contract defines. */
const offered = TOOLS.filter((tool) => tool.surfaces.includes('mcp') && isExecutable(tool));

const CONTRACT_ENDPOINTS: readonly McpEndpoint[] = [
  {
    name: 'all',
    domain: null,
    path: MAIN_PATH,
    title: 'All tools',
    description: 'Tools for PDFs, images, web pages, text and developers. Most need no key.',
    tools: offered,
  },
  ...DOMAINS.map((domain) => ({
    name: domain,
    domain,
    path: `${MAIN_PATH}/${domain}`,
    title: ABOUT[domain][0],
    description: ABOUT[domain][1],
    tools: offered.filter((tool) => tool.domain === domain),
  })),
];

/** The path is not below /api/mcp, because the contract reserves that prefix for domains. */
export const AGENT_ENDPOINT: McpEndpoint = {
  name: 'agent',
  domain: null,
  path: '/api/agent/mcp',
  title: 'For agents',
  description:
    'For agents: all tools, plus uploads, documents, chains, video and search. Most need no key.',
  tools: [...AGENT_TOOLS, ...offered],
};

/** Whether an endpoint has the features for agents: more kinds of links, embedded images, resources and tasks. */
export const isForAgents = ({ name }: McpEndpoint): boolean => name === 'agent';

/** All endpoints, in the order of the discovery documents. */
export const ENDPOINTS: readonly McpEndpoint[] = [...CONTRACT_ENDPOINTS, AGENT_ENDPOINT];
