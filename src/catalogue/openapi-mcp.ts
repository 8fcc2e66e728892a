/** Describes the MCP endpoints, for the API description (OpenAPI). MCP itself defines the messages. */
import * as z from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { DOMAINS } from '../core/define-tool.ts';
import { AGENT_ENDPOINT, ENDPOINTS } from './mcp-endpoints.ts';
import { errorBody, json } from './openapi-shared.ts';

const VERSION = z.literal('2.0').describe('Always 2.0');

const request = z
  .object({
    jsonrpc: VERSION,
    id: z.union([z.string(), z.int()]).optional().describe('Absent in a notification'),
    method: z.string().describe('initialize, ping, tools/list or tools/call'),
    params: z
      .looseObject({})
      .optional()
      .describe('In tools/call, `name` is the tool and `arguments` are its parameters'),
  })
  .meta({ id: 'JsonRpcRequest' });

const answer = z
  .object({
    jsonrpc: VERSION,
    id: z.union([z.string(), z.int(), z.null()]).describe('The ID of the request'),
    result: z.looseObject({}).optional().describe('What the method returns'),
    error: z
      .object({
        code: z.int().describe('The JSON-RPC error code'),
        message: z.string().describe('What went wrong, and how to fix it'),
        data: z.looseObject({}).optional().describe('code and requestId, as in REST errors'),
      })
      .optional()
      .describe('The error; present if there is no result'),
  })
  .meta({ id: 'JsonRpcAnswer' });

const error = (description: string) => ({ description, content: json(answer) });

const operation = (
  operationId: string,
  summary: string,
  description: string,
  more: ZodOpenApiResponsesObject = {},
): ZodOpenApiOperationObject => ({
  operationId,
  summary,
  description: `${description} Messages are JSON-RPC 2.0.`,
  requestBody: { required: true, content: json(z.union([request, z.array(request).min(1)])) },
  responses: {
    200: {
      description: 'The result or error of the request; an array for a batch',
      content: json(z.union([answer, z.array(answer)])),
    },
    202: { description: 'The notification was accepted; there is no response' },
    400: error('The message is not valid JSON or not a JSON-RPC 2.0 message'),
    401: error('Unauthorized: the key is invalid, revoked or expired (-32001)'),
    403: error('The origin of the page may not use this endpoint'),
    413: error('The message is larger than 8 MB or has more than 200,000 JSON values'),
    415: error('The message is not sent as application/json'),
    429: error('Rate limited (-32000); all MCP endpoints share one limit'),
    500: error('The service failed (-32603)'),
    ...more,
  },
});

const { path } = ENDPOINTS[0]!;

export const mcpPaths: ZodOpenApiPathsObject = {
  [path]: {
    post: operation('callMcp', 'MCP: all tools', 'Provides every tool that is available over MCP.'),
  },
  [AGENT_ENDPOINT.path]: {
    post: operation(
      'callAgentMcp',
      'MCP: for agents',
      'Provides more tools, links to files, and resources.',
      {
        404: error('The protocol version does not support initialize (-32601)'),
      },
    ),
  },
  [`${path}/{domain}`]: {
    parameters: [
      {
        name: 'domain',
        in: 'path',
        required: true,
        description: 'The domain of the tools',
        schema: { type: 'string', enum: [...DOMAINS] },
      },
    ],
    post: operation(
      'callMcpDomain',
      'MCP: one domain',
      'Provides only the tools of one domain, for a shorter list.',
      {
        404: { description: 'There is no such domain', content: json(errorBody) },
      },
    ),
  },
};
