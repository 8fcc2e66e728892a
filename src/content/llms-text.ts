/** The documents for language models (llmstxt.org): a list of links, and one text with everything. */
import { type ContentDocument, type ListedDocument, UNLISTED } from '../core/content.ts';
import { type Addresses, withAddresses } from './addresses.ts';

type Named = Addresses & { serviceName: string };

/** The most useful sections first. */
const ORDER: readonly ListedDocument['section'][] = [
  UNLISTED,
  'Tool docs',
  'How-to',
  'Comparisons',
  'Blog',
];

const summary = ({ serviceName, baseUrl }: Named): string =>
  `# ${serviceName}

> Developer tools over one HTTP API and MCP: PDF, images, video, text recognition, web pages, links, text and codes.

No key is needed, but a key raises the limits. The API is described at ${baseUrl}/api/v1/openapi.json, the tools are listed at
${baseUrl}/api/v1/tools, and POST ${baseUrl}/api/v1/search finds passages of these documents. Each document is also
plain Markdown: GET ${baseUrl}/api/v1/content?path=PATH with "Accept: text/markdown".
`;

/** llms.txt. Tool pages are omitted, because the tools' documents say more. */
export function linkList(documents: readonly ListedDocument[], service: Named): string {
  const parts = ORDER.flatMap((section) => {
    const lines = documents
      .filter((document) => document.section === section)
      .map(
        ({ title, path, description }) =>
          `- [${title.replace(/[[\]]/g, '\\$&')}](${service.baseUrl}${path}): ${description}`,
      );
    return lines.length > 0 ? [`## ${section}\n\n${lines.join('\n')}\n`] : [];
  });
  return [summary(service), ...parts].join('\n');
}

/** llms-full.txt. */
export const fullText = (documents: readonly ContentDocument[], service: Named): string =>
  [
    summary(service),
    ...documents
      .filter(({ section }) => section !== 'Tools')
      .map(
        ({ section, title, path, description, markdown }) =>
          `\n---\n\n# ${title}\n\n${service.baseUrl}${path} (${section})\n\n> ${description}\n\n${withAddresses(markdown, service)}\n`,
      ),
  ].join('');
