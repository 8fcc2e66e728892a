/** Builds the documents for language models (llmstxt.org): an overview for agents, and a file with the documents. */
import { type ContentDocument, type ListedDocument, UNLISTED } from '../core/content.ts';
import { type Addresses, withAddresses } from './addresses.ts';

type Named = Addresses & { serviceName: string };

const summary = ({ serviceName }: Named): string =>
  `# ${serviceName}

> Developer tools over one HTTP API and MCP: PDF, images, video, text recognition, web pages, links, text and codes.
`;

/** Explains to agents how to use keys, MCP and REST. */
const firstSteps = ({ baseUrl }: Named): string => `
Most tools need no key; a key (Authorization: Bearer) raises the limits.

## MCP

Connect to ${baseUrl}/api/agent/mcp (Streamable HTTP, no sign-in). It has all tools, and create_upload, read_document,
search_docs, run_chain, transcode_video and get_job. A skill for agents: ${baseUrl}/.well-known/skills/tools/SKILL.md

## REST

- Call: POST ${baseUrl}/api/v1/tools/execute with {"tool": "format_json", "parameters": {"json": "{}"}} as JSON, or as
  multipart/form-data with the parts tool, parameters and file (files for several).
- Chain: POST ${baseUrl}/api/v1/tools/chain with {"toolChain": [{"tool": …, "parameters": …}, …]}.
- Files by link: fileUrl or fileUrls in the parameters takes links of this service and public addresses, up to 50 MB.
- Upload: POST ${baseUrl}/api/v1/uploads with {"filename": …}, then PUT the bytes to uploadUrl. Links to uploads work for
  7 days, links to results for 24 hours.
- Long calls: add "Prefer: respond-async", then GET the Location of the response.
- Errors: {"error": message, "code": …}; 429 and 503 carry Retry-After.
- A command (tools compress_image a.jpg) and a typed client (connect({ baseUrl })), built from the source code:
  ${baseUrl}/how-to/use-the-command-and-the-client
- Parameters: GET ${baseUrl}/api/v1/tools. Whole API: ${baseUrl}/api/v1/openapi.json

## Documents

Search them with POST ${baseUrl}/api/v1/search and {"query": …}. Each is plain Markdown: GET
${baseUrl}/api/v1/content?path=PATH with "Accept: text/markdown". All of them: ${baseUrl}/llms-full.txt
`;

/** Builds llms.txt: an introduction and links to the documents. */
export function linkList(documents: readonly ListedDocument[], service: Named): string {
  const pages = documents
    .filter(({ section }) => section === UNLISTED)
    .map(
      ({ title, path, description }) =>
        `- [${title.replace(/[[\]]/g, '\\$&')}](${service.baseUrl}${path}): ${description}`,
    );
  const tools = documents
    .filter(({ section }) => section === 'Tool docs')
    .map(({ path }) => path.split('/').at(-1));
  return `${summary(service)}${firstSteps(service)}
${pages.join('\n')}

## Tools

Each is described at ${service.baseUrl}/docs/tools/NAME: ${tools.join(', ')}.
`;
}

/** Builds llms-full.txt: an introduction and all documents except the section `Tools`. */
export const fullText = (documents: readonly ContentDocument[], service: Named): string =>
  [
    summary(service),
    firstSteps(service),
    ...documents
      .filter(({ section }) => section !== 'Tools')
      .map(
        ({ section, title, path, description, markdown }) =>
          `\n---\n\n# ${title}\n\n${service.baseUrl}${path} (${section})\n\n> ${description}\n\n${withAddresses(markdown, service)}\n`,
      ),
  ].join('');
