/**
 * An example for each endpoint in the API reference, by operationId. test/rest/reference-examples.test.ts sends the
 * examples and replaces the uppercase placeholders with its own job, file and key. `…` matches anything.
 */
import { MAX_FILE_BYTES } from '../../src/core/limits.ts';
import type { SentRequest } from '../../src/core/reference.ts';

interface EndpointExample {
  /** The path with its parameters filled in, and the query string. Defaults to the endpoint's path. */
  path?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The form to send instead of a body. */
  form?: SentRequest['form'];
  /** The response body as JSON or text. Undefined if the response has no body. */
  result?: unknown;
}

const KEY = { Authorization: 'Bearer YOUR_KEY' };
const MCP_CALL = {
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'encode_base64', arguments: { text: 'Hello, world!' } },
  },
  result: {
    jsonrpc: '2.0',
    id: 1,
    result: {
      content: [{ type: 'text', text: '{"encoded":"SGVsbG8sIHdvcmxkIQ=="}' }],
      structuredContent: { encoded: 'SGVsbG8sIHdvcmxkIQ==' },
      '…': '…',
    },
  },
};

export const ENDPOINT_EXAMPLES: Record<string, EndpointExample> = {
  listTools: {
    result: {
      tools: [
        {
          name: 'calculate_percentage',
          description: 'Exact percentage calculations. …',
          parameters: { type: 'object', properties: '…', '…': '…' },
          executable: true,
        },
        '…',
      ],
      count: '…',
      executableCount: '…',
    },
  },
  executeTool: {
    body: { tool: 'encode_base64', parameters: { text: 'Hello, world!' } },
    result: { encoded: 'SGVsbG8sIHdvcmxkIQ==' },
  },
  createInput: {
    form: { fields: {}, part: 'file', files: ['photo.jpg'] },
    result: {
      url: '…/files/…/photo.jpg',
      fileId: '…',
      filename: 'photo.jpg',
      contentType: 'image/jpeg',
      size: '…',
      expiresAt: '…',
      storage: 'r2',
      deleteToken: '…',
    },
  },
  createUpload: {
    body: { filename: 'photo.jpg' },
    result: { uploadUrl: '…', method: 'PUT', expiresAt: '…', maxBytes: MAX_FILE_BYTES },
  },
  runChain: {
    body: {
      toolChain: [
        { tool: 'encode_url', parameters: { url: 'a b' } },
        { tool: 'encode_base64', parameters: { text: '{{prev.encoded}}' } },
      ],
    },
    result: {
      completed: true,
      results: [
        {
          index: 0,
          tool: 'encode_url',
          status: 'succeeded',
          result: { encoded: 'a%20b' },
          durationMs: '…',
        },
        {
          index: 1,
          tool: 'encode_base64',
          status: 'succeeded',
          result: { encoded: 'YSUyMGI=' },
          durationMs: '…',
        },
      ],
      output: { encoded: 'YSUyMGI=' },
    },
  },
  search: {
    body: { query: 'merge two PDFs', topK: 1 },
    result: {
      query: 'merge two PDFs',
      passages: [
        {
          score: '…',
          text: '<DATA>…</DATA>',
          title: '…',
          path: '…',
          section: '…',
          heading: '…',
          url: '…',
        },
      ],
      count: 1,
      retrieval: '…',
    },
  },
  getContent: {
    path: '/api/v1/content?section=How-to&limit=1',
    result: {
      documents: [
        {
          path: '/how-to/…',
          title: '…',
          description: '…',
          section: 'How-to',
          tags: '…',
          publishedAt: '…',
          updatedAt: '…',
          url: '…',
        },
      ],
      count: 1,
      nextCursor: '…',
    },
  },
  getUsage: {
    headers: KEY,
    result: {
      keys: [
        {
          name: '…',
          display: 'tsk_……',
          kind: 'persistent',
          expiresAt: null,
          today: { requests: '…', limit: '…', remaining: '…', resetsAt: '…' },
          month: { tokens: '…', limit: '…', remaining: '…', resetsAt: '…' },
          stored: { bytes: '…', limit: '…', remaining: '…', resetsAt: '…' },
        },
      ],
      days: '…',
      refused: '…',
      webhookSecret: '…',
    },
  },
  getJob: {
    path: '/api/v1/jobs/JOB_ID',
    result: {
      id: '…',
      tool: 'encode_base64',
      status: 'succeeded',
      progress: 1,
      result: { encoded: 'SGVsbG8sIHdvcmxkIQ==' },
    },
  },
  deleteJob: { path: '/api/v1/jobs/JOB_ID' },
  getFile: { path: '/files/FILE_ID/notes.txt', result: 'The meeting is on Friday at ten.\n' },
  deleteFile: { path: '/files/FILE_ID/notes.txt', headers: { 'X-Delete-Token': 'DELETE_TOKEN' } },
  callMcp: MCP_CALL,
  callAgentMcp: {
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    result: { jsonrpc: '2.0', id: 1, result: {} },
  },
  callMcpDomain: { ...MCP_CALL, path: '/api/mcp/dev' },
};
