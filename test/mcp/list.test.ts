import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/catalogue/mcp-endpoints.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { MCP_DOMAINS, MCP_TOOLS } from '../contract/contract-tools.ts';
import { baseUrl, body } from '../support/service.ts';
import { post, request } from './post.ts';

const KNOWN = TOOLS.map(({ name }) => name);

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: string; additionalProperties: boolean; properties: object };
  annotations: Record<string, boolean>;
}

async function list(domain?: string): Promise<Listed[]> {
  const { body } = await post(request('tools/list'), domain ? { domain } : {});
  return body.result.tools;
}

describe('tools/list', () => {
  it('contains the 28 tools, without compress_video and upload_file', async () => {
    const names = (await list()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(MCP_TOOLS.toSorted());
    expect(names).toHaveLength(28);
  });

  it.each(Object.entries(MCP_DOMAINS))('of the domain %s contains %j', async (domain, names) => {
    const tools = await list(domain);
    expect(tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const all = await list();
    expect(tools).toEqual(all.filter(({ name }) => names.includes(name)));
  });

  it('takes at most 6,000 tokens, or 1,500 for a domain', async () => {
    expect(encode(JSON.stringify(await list())).length).toBeLessThanOrEqual(6000);
    for (const domain of Object.keys(MCP_DOMAINS)) {
      expect(encode(JSON.stringify(await list(domain))).length, domain).toBeLessThanOrEqual(1500);
    }
  });

  it('has a title, a description, all annotations and a strict schema for every tool', async () => {
    for (const tool of await list()) {
      expect(tool.title, tool.name).toMatch(/^[A-Z]/);
      expect(tool.description.length, tool.name).toBeGreaterThan(40);
      expect(Object.values(tool.annotations).map((hint) => typeof hint)).toEqual(
        Array(4).fill('boolean'),
      );
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool).not.toHaveProperty('outputSchema');
    }
  });

  it('describes what each tool returns and how to get file links, and does not mention REST', async () => {
    for (const tool of await list()) {
      expect(tool.description, tool.name).toMatch(/Returns (\{\w+(, \w+)*\}|the (URL|file))/);
      for (const [name, property] of Object.entries(tool.inputSchema.properties)) {
        if (name.startsWith('fileUrl')) expect(property.description).toContain('/api/v1/uploads');
      }
      expect(JSON.stringify(tool), tool.name).not.toMatch(/REST\b|multipart/);
    }
  });

  it('mentions only tools of the same list', async () => {
    for (const domain of Object.keys(MCP_DOMAINS)) {
      const tools = await list(domain);
      for (const tool of tools) {
        const named = JSON.stringify(tool).match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
        const elsewhere = named.filter(
          (word) => KNOWN.includes(word) && !MCP_DOMAINS[domain]!.includes(word),
        );
        expect(elsewhere, `${tool.name} of ${domain}`).toEqual([]);
      }
    }
  });

  it('requires a link for each tool that processes files', async () => {
    for (const { inputSchema } of await list()) {
      const { properties, required = [] } = inputSchema as {
        properties: object;
        required?: string[];
      };
      for (const link of ['fileUrl', 'fileUrls']) {
        expect(required.includes(link)).toBe(link in properties);
      }
    }
  });
});

describe('the discovery documents', () => {
  it('list all servers with their tools, versions and authentication', async () => {
    const document = await body(await fetch(`${baseUrl}/.well-known/mcp.json`));
    expect(document).toMatchObject({
      version: '2.1.1',
      protocolVersion: '2024-11-05',
      authentication: { type: 'bearer', required: false },
    });
    expect(document.authentication.description).toMatch(/rate limited/);
    const counts = document.servers.map((server: { toolCount: number }) => server.toolCount);
    expect(counts).toEqual([28, 6, 4, 4, 5, 9, 34]);
    expect(document.servers.at(-1)).toMatchObject({
      name: 'agent',
      url: `${baseUrl}/api/agent/mcp`,
    });
    for (const server of document.servers) {
      const response = await fetch(server.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(request('tools/list')),
      });
      const answer = await body(response);
      expect(answer.result.tools.map((tool: Listed) => tool.name)).toEqual(server.tools);
    }
  });

  it('include a server card for each endpoint', async () => {
    for (const { path } of ENDPOINTS) {
      const response = await fetch(`${baseUrl}${path}/server-card`, {
        headers: { Origin: 'https://claude.ai' },
      });
      expect(response.headers.get('Content-Type')).toBe('application/mcp-server-card+json');
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://claude.ai');
      const card = await body(response);
      expect(card).toMatchObject({ version: '2.1.1', remotes: [{ url: baseUrl + path }] });
      expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
      expect(card.description.length).toBeLessThanOrEqual(100);
    }
  });

  it('include a server.json with every server for registries', async () => {
    const document = await body(await fetch(`${baseUrl}/server.json`));
    expect(document.$schema).toContain('server.schema.json');
    expect(document.remotes.map(({ url }: { url: string }) => url)).toEqual(
      ENDPOINTS.map(({ path }) => baseUrl + path),
    );
  });
});
