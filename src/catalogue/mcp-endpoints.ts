/** The MCP endpoints, one for all tools and one per domain, with their tools. */
import { DOMAINS, type Domain, type Tool } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { isExecutable } from './catalogue.ts';

/** The versions that discovery states (api.md, Versioning). */
export const MCP_SERVER_VERSION = '2.1.1';
export const DISCOVERED_PROTOCOL = '2024-11-05';

/** The supported protocol versions, oldest first (decisions.md, MCP); the last one is stateless. */
export const PROTOCOL_VERSIONS = [
  DISCOVERED_PROTOCOL,
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
] as const;

export interface McpEndpoint {
  /** Null for the endpoint of all tools. */
  domain: Domain | null;
  path: string;
  title: string;
  /** For people and registries: one sentence of at most 100 characters. */
  description: string;
  tools: readonly Tool[];
}

const MAIN_PATH = '/api/mcp';

const ABOUT: Record<Domain, [title: string, description: string]> = {
  documents: [
    'Documents',
    'PDFs merged, split, compressed and made from pictures; text read from files.',
  ],
  media: ['Media', 'Pictures compressed, converted, split and generated; QR codes.'],
  web: ['Web', 'Screenshots, logos and metadata of web pages; short links.'],
  text: ['Text', 'Text rewritten, drafted, outlined, generated and compared.'],
  dev: ['Developer tools', 'Base64, URL encoding, JWT, JSON, percentages, SQL and fake data.'],
};

const offered = TOOLS.filter((tool) => tool.surfaces.includes('mcp') && isExecutable(tool));

export const ENDPOINTS: readonly McpEndpoint[] = [
  {
    domain: null,
    path: MAIN_PATH,
    title: 'All tools',
    description: 'Tools for PDFs, pictures, web pages, text and developers. No key needed.',
    tools: offered,
  },
  ...DOMAINS.map((domain) => ({
    domain,
    path: `${MAIN_PATH}/${domain}`,
    title: ABOUT[domain][0],
    description: ABOUT[domain][1],
    tools: offered.filter((tool) => tool.domain === domain),
  })),
];
