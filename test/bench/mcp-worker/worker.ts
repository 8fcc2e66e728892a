/** Implements the baseline for tools/call: the SDK's own server with one tool, behind the same handler. */
import { McpServer } from '@modelcontextprotocol/server';
import { createMcpHandler } from 'agents/mcp/server';
import * as z from 'zod';

const utf8 = new TextEncoder();
const inputSchema = z.object({ text: z.string() });

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'bare', version: '1' });
    server.registerTool(
      'encode_base64',
      { description: 'Encodes text as Base64.', inputSchema },
      ({ text }) => {
        const encoded = utf8.encode(text).toBase64();
        return {
          content: [{ type: 'text', text: JSON.stringify({ encoded }) }],
          structuredContent: { encoded },
        };
      },
    );
    return server;
  },
  { route: '/api/mcp', legacy: 'reject' },
);

export default { fetch: (request: Request) => handler.fetch(request) };
