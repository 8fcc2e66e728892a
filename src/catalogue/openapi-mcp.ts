/** The API description of the MCP endpoints; MCP itself defines their messages. */
import { DOMAINS } from '../core/define-tool.ts';
import type { JsonSchema } from './json-schema.ts';
import { ENDPOINTS } from './mcp-endpoints.ts';

const message = (name: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});
const error = (description: string) => ({ description, content: message('JsonRpcAnswer') });

const operation = (operationId: string, summary: string, more: object = {}) => ({
  operationId,
  summary,
  requestBody: { required: true, content: message('JsonRpcRequest') },
  responses: {
    200: {
      description: 'The answer, or the error, of the request; a batch is answered by an array',
      content: message('JsonRpcAnswer'),
    },
    202: { description: 'A notification was taken; it has no answer' },
    400: error('The message is not JSON, or no JSON-RPC 2.0'),
    401: error('Unauthorized: the key sent is wrong, revoked or expired (-32001)'),
    413: error('The message is larger than 8 MB or has more than 200,000 JSON values'),
    415: error('The message is not sent as application/json'),
    429: error('Rate limited (-32000); all MCP endpoints share one limit'),
    500: error('A fault of the service (-32603)'),
    ...more,
  },
});

export const mcpPaths: JsonSchema = {
  [ENDPOINTS[0]!.path]: { post: operation('callMcp', 'MCP (JSON-RPC 2.0) with all its tools') },
  [`${ENDPOINTS[0]!.path}/{domain}`]: {
    parameters: [
      {
        name: 'domain',
        in: 'path',
        required: true,
        description: 'Which tools',
        schema: { type: 'string', enum: [...DOMAINS] },
      },
    ],
    post: operation('callMcpDomain', 'MCP (JSON-RPC 2.0) with the tools of one domain', {
      404: {
        description: 'There is no such domain',
        content: message('Error'),
      },
    }),
  },
};

const VERSION = { const: '2.0' };
const ID = { type: ['string', 'integer', 'null'] };

export const mcpSchemas: JsonSchema = {
  JsonRpcRequest: {
    type: 'object',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: VERSION,
      id: { type: ['string', 'integer'], description: 'Left out in a notification' },
      method: {
        type: 'string',
        description: 'initialize, ping, tools/list or tools/call',
      },
      params: {
        type: 'object',
        description: 'Of tools/call: name, the tool, and arguments, its parameters',
      },
    },
  },
  JsonRpcAnswer: {
    type: 'object',
    required: ['jsonrpc', 'id'],
    properties: {
      jsonrpc: VERSION,
      id: ID,
      result: { type: 'object' },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'integer' },
          message: { type: 'string' },
          data: { type: 'object', description: 'code and requestId, as in errors of REST' },
        },
      },
    },
  },
};
