/**
 * Defines the tools that only the endpoint for agents offers. A tool without `run` needs parts of the service that
 * tools cannot access, so src/mcp/agent runs it.
 */
import * as z from 'zod';
import { defineTool, type Tool } from '../core/define-tool.ts';
import { jobResult, transcodeVideo } from '../tools/compress_video/transcode-video.ts';
import { readDocument } from '../tools/parse_document/read-document.ts';

export const MAX_WAIT_SECONDS = 50;

/** Placeholders for required fields. They have no effect, because no page or catalogue shows these tools. */
const HIDDEN = {
  shortName: '',
  kind: 'files',
  icon: 'wrench',
  domain: null,
  access: 'anyone',
  limits: [],
  surfaces: [],
  needs: [],
} as const;

export const createUpload = defineTool({
  ...HIDDEN,
  name: 'create_upload',
  title: 'Create an upload',
  description:
    'Creates a one-time upload URL for files of up to 50 MB. Send the bytes with PUT, or have a person ' +
    'drop the file at dropPage. Then use uploadUrl as fileUrl of any tool.',
  input: z.strictObject({
    filename: z.string().describe('For example, report.pdf.'),
    contentType: z
      .string()
      .optional()
      .describe('The media type; detected from the bytes by default.'),
  }),
  output: z.object({
    uploadUrl: z.string(),
    method: z.literal('PUT'),
    dropPage: z.string(),
    expiresAt: z.string(),
    maxBytes: z.int(),
  }),
  annotations: { readOnly: false, idempotent: false, openWorld: false, destructive: false },
});

export const searchDocs = defineTool({
  ...HIDDEN,
  name: 'search_docs',
  title: 'Search the documentation',
  description: "Searches this service's documentation for passages that answer a question.",
  input: z.strictObject({
    query: z.string().describe('At most 500 characters.'),
    topK: z.int().min(1).max(10).default(3).describe('Number of passages.'),
  }),
  output: z.object({ passages: z.array(z.object({ text: z.string() })) }),
  untrusted: true,
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
});

export const runChain = defineTool({
  ...HIDDEN,
  name: 'run_chain',
  title: 'Run several tools',
  description:
    'Runs 1 to 12 tools in one call. The file or text of a step fills the empty parameters of the next one; ' +
    '{{prev.field}} and {{steps.0.result.field}} refer to results explicitly. Each step counts as a call.',
  input: z.strictObject({
    toolChain: z
      .array(
        z.object({
          tool: z.string(),
          parameters: z.looseObject({}).meta({ additionalProperties: true }).optional(),
          id: z.string().optional(),
        }),
      )
      .describe('In order.'),
    steps: z
      .boolean()
      .default(false)
      .describe('Return the result of every step, not only the last.'),
  }),
  output: z.looseObject({}),
  untrusted: true,
  annotations: { readOnly: false, idempotent: false, openWorld: true, destructive: false },
});

export const getJob = defineTool({
  ...HIDDEN,
  name: 'get_job',
  title: 'Get a job',
  description: 'Waits for a transcode_video job.',
  input: z.strictObject({
    jobId: z.string(),
    waitSeconds: z.int().min(0).max(MAX_WAIT_SECONDS).default(25),
  }),
  output: jobResult,
  untrusted: true,
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
});

export const AGENT_TOOLS: readonly Tool[] = [
  createUpload,
  readDocument,
  searchDocs,
  runChain,
  transcodeVideo,
  getJob,
];
