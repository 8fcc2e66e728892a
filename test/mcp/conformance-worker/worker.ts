/**
 * Serves the MCP surface with the tools that the conformance suite requires. This Worker is not part of the service.
 */

import { Hono } from 'hono';
import * as z from 'zod';
import type { McpEndpoint } from '../../../src/catalogue/mcp-endpoints.ts';
import { type CallContext, defineTool, type Tool } from '../../../src/core/define-tool.ts';
import { failed } from '../../../src/core/errors.ts';
import { file, json, type ToolOutput } from '../../../src/core/tool-output.ts';
import { Exchange } from '../../../src/exchange.ts';
import type { AppEnv } from '../../../src/http.ts';
import { answerMcp } from '../../../src/mcp/answer.ts';
import { presentError } from '../../../src/rest/present.ts';
import { servicesOf } from '../../../src/services.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

const tool = (name: string, run: (context: CallContext) => ToolOutput): Tool =>
  defineTool({
    name,
    title: name,
    shortName: 'Run',
    kind: 'text',
    icon: '',
    domain: 'dev',
    description: `What the conformance suite expects of ${name}.`,
    input: z.strictObject({}),
    access: 'anyone',
    limits: [],
    surfaces: ['mcp'],
    annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
    needs: [],
    run: (_, context) => run(context),
  });

const endpoint: McpEndpoint = {
  name: 'all',
  domain: null,
  path: '/api/mcp',
  title: 'Conformance',
  description: 'The tools of the conformance suite.',
  tools: [
    tool('test_simple_text', () => json({ text: 'This is a simple text response for testing.' })),
    {
      ...tool('test_image_content', () =>
        file(Uint8Array.fromBase64(PIXEL), 'image/png', 'pixel.png'),
      ),
      inline: true,
    },
    tool('test_error_handling', () => {
      throw failed('This tool intentionally returns an error for testing.');
    }),
    tool('test_tool_with_progress', ({ progress }) => {
      for (const fraction of [0, 0.5, 1]) progress?.(fraction);
      return json({ done: true });
    }),
  ],
};

const agents: McpEndpoint = { ...endpoint, name: 'agent', path: '/api/agent/mcp' };

const app = new Hono<AppEnv>();
for (const served of [endpoint, agents]) {
  app.post(served.path, (c) => answerMcp(c, served));
  app.all(served.path, () => new Response(null, { status: 405, headers: { Allow: 'POST' } }));
}

export default {
  fetch(request, env, context) {
    const exchange = new Exchange(request);
    exchange.services = servicesOf(env);
    try {
      exchange.admitPage();
      return app.fetch(request, exchange, context);
    } catch (error) {
      return presentError(error, exchange);
    }
  },
} satisfies ExportedHandler<Cloudflare.Env>;
